using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Makes containers whose membership table takes its time to write that a silo is stopping, as a database may.
/// </summary>
internal sealed class SlowMembership(TimeSpan writeTakes) : IServiceProviderFactory<IServiceCollection>
{
    public IServiceCollection CreateBuilder(IServiceCollection services)
    {
        services.Decorate<IMembershipTable>(key: null, (table, _) => new SlowTable(table, writeTakes));
        return services;
    }

    public IServiceProvider CreateServiceProvider(IServiceCollection containerBuilder) =>
        containerBuilder.BuildServiceProvider();

#pragma warning disable CS0618 // Orleans calls these through the newer ones.
    private sealed class SlowTable(IMembershipTable table, TimeSpan writeTakes) : IMembershipTable
    {
        public Task InitializeMembershipTable(bool tryInitTableVersion) =>
            table.InitializeMembershipTable(tryInitTableVersion);

        public Task DeleteMembershipTableEntries(string clusterId) => table.DeleteMembershipTableEntries(clusterId);

        public Task CleanupDefunctSiloEntries(DateTimeOffset beforeDate) => table.CleanupDefunctSiloEntries(beforeDate);

        public Task<MembershipTableData> ReadRow(SiloAddress key) => table.ReadRow(key);

        public Task<MembershipTableData> ReadAll() => table.ReadAll();

        public Task<bool> InsertRow(MembershipEntry entry, TableVersion tableVersion) =>
            table.InsertRow(entry, tableVersion);

        public async Task<bool> UpdateRow(MembershipEntry entry, string etag, TableVersion tableVersion)
        {
            if (entry.Status is SiloStatus.ShuttingDown or SiloStatus.Stopping or SiloStatus.Dead)
            {
                await Task.Delay(writeTakes);
            }

            return await table.UpdateRow(entry, etag, tableVersion);
        }

        public Task UpdateIAmAlive(MembershipEntry entry) => table.UpdateIAmAlive(entry);
    }
#pragma warning restore CS0618
}
