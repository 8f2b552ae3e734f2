-- What Orleans' ADO.NET storage needs of a database: a table of queries, which it looks up by these names and calls with these
-- parameters, and whatever table they use. Nothing of what it knows about hashes is needed here.

create table if not exists OrleansQuery (QueryKey text primary key, QueryText text not null);

create table if not exists bank_state (
    service text not null,
    state_name text not null,
    key_low bigint not null,
    key_high bigint not null,
    key_text text not null,
    version integer not null,
    payload bytea,
    primary key (service, state_name, key_low, key_high, key_text)
);

truncate bank_state;

insert into OrleansQuery values
-- A state that was never read has no version and must not exist; any other must have the version that it was read with. Otherwise no
-- row comes back, which Orleans takes for a conflict.
('WriteToStorageKey', '
    insert into bank_state as stored (service, state_name, key_low, key_high, key_text, version, payload)
    select @ServiceId, @GrainTypeString, @GrainIdN0, @GrainIdN1, coalesce(@GrainIdExtensionString, ''''), 1, @PayloadBinary
    where @GrainStateVersion is null or exists (
        select from bank_state
        where service = @ServiceId and state_name = @GrainTypeString
            and key_low = @GrainIdN0 and key_high = @GrainIdN1 and key_text = coalesce(@GrainIdExtensionString, ''''))
    on conflict (service, state_name, key_low, key_high, key_text) do update
    set version = stored.version + 1, payload = excluded.payload
    where stored.version = @GrainStateVersion
    returning version as NewGrainStateVersion
'),
('ReadFromStorageKey', '
    select payload as PayloadBinary, version as Version
    from bank_state
    where service = @ServiceId and state_name = @GrainTypeString
        and key_low = @GrainIdN0 and key_high = @GrainIdN1 and key_text = coalesce(@GrainIdExtensionString, '''')
'),
('ClearStorageKey', '
    update bank_state
    set version = version + 1, payload = null
    where service = @ServiceId and state_name = @GrainTypeString
        and key_low = @GrainIdN0 and key_high = @GrainIdN1 and key_text = coalesce(@GrainIdExtensionString, '''')
        and version = @GrainStateVersion
    returning version as NewGrainStateVersion
')
on conflict (QueryKey) do update set QueryText = excluded.QueryText;
