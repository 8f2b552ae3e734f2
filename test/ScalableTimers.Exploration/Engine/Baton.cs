using RealMonitor = System.Threading.Monitor;

namespace ScalableTimers.Exploration.Engine;

/// <summary>What one real thread gives another: the right to run. At most one is out at a time.</summary>
internal sealed class Baton
{
    private volatile bool _isHere;
    private bool _isAsleep;

    internal void Give()
    {
        lock (this)
        {
            _isHere = true;
            if (_isAsleep)
            {
                RealMonitor.Pulse(this);
            }
        }
    }

    /// <summary>Waits until it is given.</summary>
    /// <returns>False if it was not within that time.</returns>
    internal bool Take(int milliseconds = -1)
    {
        lock (this)
        {
            while (!_isHere)
            {
                _isAsleep = true;
                var isGiven = RealMonitor.Wait(this, milliseconds);
                _isAsleep = false;
                if (!isGiven && !_isHere)
                {
                    return false;
                }
            }

            _isHere = false;
            return true;
        }
    }
}
