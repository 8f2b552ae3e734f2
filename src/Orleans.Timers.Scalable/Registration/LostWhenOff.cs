namespace Orleans.Timers.Scalable.Registration;

/// <summary>What a part no longer does when the plugin is turned off. The start report says it.</summary>
internal sealed record LostWhenOff(string Loss);
