using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using Orleans.Timers.Scalable.Messaging;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ShortestTimeoutTests
{
    private static readonly TimeSpan s_responseTimeout = TimeSpan.FromSeconds(30);

    private interface IWithout
    {
        Task One();
    }

    private interface IWith<T> : IWithout
    {
        [ResponseTimeout("00:00:05")]
        Task<T> Two();
    }

    private interface IHeir : IWith<int>
    {
        [ResponseTimeout("00:00:20")]
        Task Three();
    }

    private interface ILonger
    {
        [ResponseTimeout("01:00:00")]
        Task Four();
    }

    [Theory]
    [InlineData(typeof(IWithout), 30)]
    [InlineData(typeof(ILonger), 30)]
    [InlineData(typeof(IWith<>), 5)]
    [InlineData(typeof(IHeir), 5)]
    public void Of_Interface_IsTheShortestOfItsMethodsAndTheOption(Type type, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), ShortestTimeout.Of([type], s_responseTimeout));

    // With a package for the compiler alone, such as annotations. Orleans alone starts; seen to throw before.
    [Fact]
    public void Of_InterfaceWithAnAttributeThatIsAbsent_IsThatOfTheOthers()
    {
        var absent = Define("Absent", TypeAttributes.Class, typeof(Attribute));
        var constructor = absent.DefineDefaultConstructor(MethodAttributes.Public);
        absent.CreateType();
        var present = Define("Present", TypeAttributes.Interface | TypeAttributes.Abstract, parent: null);
        present.DefineMethod(
                "Call",
                MethodAttributes.Public | MethodAttributes.Abstract | MethodAttributes.Virtual,
                typeof(Task),
                parameterTypes: [])
            .SetCustomAttribute(constructor, [1, 0, 0, 0]);
        present.CreateType();
        using var image = new MemoryStream();
        ((PersistedAssemblyBuilder)present.Assembly).Save(image);
        image.Position = 0;
        var type = AssemblyLoadContext.Default.LoadFromStream(image).GetType("Present")!;
        Assert.Throws<FileNotFoundException>(type.GetMethods()[0].GetCustomAttributes<ResponseTimeoutAttribute>);

        Assert.Equal(TimeSpan.FromSeconds(5), ShortestTimeout.Of([type, typeof(IHeir)], s_responseTimeout));

        static TypeBuilder Define(string name, TypeAttributes attributes, Type? parent) =>
            new PersistedAssemblyBuilder(new AssemblyName(name), typeof(object).Assembly)
                .DefineDynamicModule(name)
                .DefineType(name, attributes | TypeAttributes.Public, parent);
    }
}
