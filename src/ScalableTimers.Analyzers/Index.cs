namespace System;

/// <summary>What the compiler needs for list patterns, and netstandard2.0 lacks.</summary>
internal readonly struct Index
{
    private readonly int _value;
    private readonly bool _fromEnd;

    public Index(int value, bool fromEnd = false)
    {
        _value = value;
        _fromEnd = fromEnd;
    }

    public int GetOffset(int length) => _fromEnd ? length - _value : _value;
}
