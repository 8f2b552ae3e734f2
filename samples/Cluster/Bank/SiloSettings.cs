using Orleans.Configuration;

namespace Cluster.Bank;

/// <summary>The settings of a silo. Others connect to the advertised port, which may belong to a proxy.</summary>
internal sealed record SiloSettings(
    string Name,
    string Cluster,
    string Postgres,
    bool HasPlugin,
    bool RecoversFast,
    int AdvertisedPort,
    int ListeningPort,
    int GatewayPort)
{
    public void Identify(ClusterOptions options)
    {
        options.ClusterId = Cluster;
        options.ServiceId = BankSilo.Storage;
    }
}
