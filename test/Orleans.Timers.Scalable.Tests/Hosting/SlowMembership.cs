using System.Reflection;
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
        services.Decorate<IMembershipTable>(key: null, (table, _) => SlowTable.Of(table, writeTakes));
        return services;
    }

    public IServiceProvider CreateServiceProvider(IServiceCollection containerBuilder) =>
        containerBuilder.BuildServiceProvider();

#pragma warning disable CA1852 // A proxy derives from it.
    private class SlowTable : DispatchProxy
    {
        private IMembershipTable _table = null!;
        private TimeSpan _writeTakes;

        internal static IMembershipTable Of(IMembershipTable table, TimeSpan writeTakes)
        {
            var slow = Create<IMembershipTable, SlowTable>();
            ((SlowTable)(object)slow)._table = table;
            ((SlowTable)(object)slow)._writeTakes = writeTakes;
            return slow;
        }

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) =>
            targetMethod!.Name == nameof(IMembershipTable.UpdateRow)
            && args![0] is MembershipEntry
            {
                Status: SiloStatus.ShuttingDown or SiloStatus.Stopping or SiloStatus.Dead,
            }
                ? WriteSlowly(targetMethod, args)
                : targetMethod.Invoke(_table, args);

        private async Task<bool> WriteSlowly(MethodInfo method, object?[]? args)
        {
            await Task.Delay(_writeTakes);
            return await (Task<bool>)method.Invoke(_table, args)!;
        }
    }
#pragma warning restore CA1852
}
