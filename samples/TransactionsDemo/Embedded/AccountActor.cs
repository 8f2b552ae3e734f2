using TransactionsDemo.Bank;

namespace TransactionsDemo.Embedded;

/// <summary>An account: a balance, a log, a lock and a queue of claims on it.</summary>
internal sealed class AccountActor : Actor
{
    private readonly DecisionLog _decisions;
    private readonly ClaimQueue _claims;
    private readonly AccountLog _log = new();
    private readonly List<TaskCompletionSource<long>> _readers = [];
    private long _balance = BankSettings.OpeningBalance;

    public AccountActor(ActorSystem system, DecisionLog decisions)
        : base(system)
    {
        _decisions = decisions;
        _claims = new ClaimQueue(this, Timers);
    }

    /// <summary>Reads the balance when nothing is in progress on the account, and checks it against the log.</summary>
    public Task<long> ReadBalanceAsync()
    {
        var reader = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(reader);
        return reader.Task;
    }

    protected override void Receive(object message)
    {
        switch (message)
        {
            case Call { Request.Kind: RequestKind.Lock } call:
                Lock(call);
                break;
            case Call { Request.Kind: RequestKind.Prepare } call:
                call.Reply(Prepare(call.Request.Transaction));
                break;
            case Call { Request.Kind: RequestKind.Confirm } call:
                call.Reply(Confirm(call.Request.Transaction));
                break;
            case Request { Kind: RequestKind.Abort } request:
                Abort(request.Transaction);
                break;
            case ClaimLimit limit when limit.Claim.Stage == limit.Stage:
                OnOverdue(limit.Claim);
                break;
            case ClaimLimit:
                // The claim moved to another stage while this message was on its way.
                break;
            case TaskCompletionSource<long> reader:
                _readers.Add(reader);
                AnswerReaders();
                break;
            default:
                throw new InvalidOperationException($"An account cannot handle {message}.");
        }
    }

    private void Lock(Call call)
    {
        var claim = _claims.Find(call.Request.Transaction);
        if (claim is null)
        {
            claim = new Claim(call.Request) { Call = call };
            if (_claims.Holder is null)
            {
                TryGrant(claim);
            }
            else
            {
                _claims.Wait(claim);
            }
        }
        else if (claim == _claims.Holder)
        {
            call.Reply(Answer.Done);
        }
        else
        {
            claim.Call = call;
        }
    }

    private void TryGrant(Claim claim)
    {
        if (_balance + claim.Amount < 0)
        {
            _claims.End(claim);
            claim.Call!.Reply(Answer.InsufficientFunds);
        }
        else
        {
            _claims.Lock(claim);
            claim.Call!.Reply(Answer.Done);
        }
    }

    private Answer Prepare(long transaction)
    {
        if (_claims.Holder is not { } holder || holder.Transaction != transaction)
        {
            return Answer.LockLost;
        }

        if (holder.Stage == ClaimStage.Locked)
        {
            _log.Append(LogRecordKind.Prepared, transaction, holder.Amount);
            _claims.Prepare(holder);
        }

        return Answer.Done;
    }

    private Answer Confirm(long transaction)
    {
        // Only transactions that both accounts have prepared are committed. So if this one no longer holds the lock, it
        // has been confirmed before.
        if (_claims.Holder is { } holder && holder.Transaction == transaction)
        {
            _log.Append(LogRecordKind.Committed, transaction);
            _balance += holder.Amount;
            Release(holder);
        }

        return Answer.Done;
    }

    private void Abort(long transaction)
    {
        if (_claims.Find(transaction) is not { } claim)
        {
            return;
        }

        if (claim.Stage == ClaimStage.Prepared)
        {
            _log.Append(LogRecordKind.Aborted, transaction);
        }

        Release(claim);
    }

    private void OnOverdue(Claim claim)
    {
        switch (claim.Stage)
        {
            case ClaimStage.Waiting:
                Release(claim);
                claim.Call!.Reply(Answer.LockTimeout);
                break;
            case ClaimStage.Locked:
                Release(claim);
                break;
            default:
                _ = InquireAsync(claim);
                break;
        }
    }

    /// <summary>
    /// An account that has promised to commit must not give up by itself. It asks until it knows the outcome.
    /// </summary>
    private async Task InquireAsync(Claim claim)
    {
        try
        {
            var answer = Answer.None;
            while (answer == Answer.None && claim.Stage == ClaimStage.Prepared)
            {
                using var phase = Phase.Start(Timers, this, Limits.Phase);
                answer = await AskAsync(_decisions, new Request(RequestKind.Inquire, claim.Transaction), phase);
            }

            // The teller may have reported the outcome meanwhile.
            if (claim.Stage == ClaimStage.Prepared)
            {
                Learn(claim, answer);
            }
        }
        catch (Exception fault)
        {
            ReportFault(fault);
        }
    }

    private void Learn(Claim claim, Answer decision)
    {
        if (decision == Answer.Committed)
        {
            Confirm(claim.Transaction);
        }
        else
        {
            Abort(claim.Transaction);
        }
    }

    private void Release(Claim claim)
    {
        _claims.End(claim);
        while (_claims.Holder is null && _claims.TakeNext() is { } next)
        {
            TryGrant(next);
        }

        AnswerReaders();
    }

    private void AnswerReaders()
    {
        if (_readers.Count == 0 || _claims.Holder is not null)
        {
            return;
        }

        var logged = _log.Replay();
        foreach (var reader in _readers)
        {
            if (logged == _balance)
            {
                reader.SetResult(_balance);
            }
            else
            {
                reader.SetException(
                    new BankFailedException($"An account holds {_balance:N0}, but its log makes {logged:N0}."));
            }
        }

        _readers.Clear();
    }
}
