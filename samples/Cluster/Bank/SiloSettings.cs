using Orleans.Configuration;

namespace Cluster.Bank;

/// <summary>What a silo is told. Others connect to the advertised port, behind which may be a proxy.</summary>
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
