-- What Orleans' ADO.NET providers ask of a database: statements with these names in OrleansQuery, with these parameters
-- and columns. The tables that they use are up to the database; Orleans' own scripts do the same with other tables.

create table OrleansQuery (QueryKey text primary key, QueryText text not null);

create table membership_version (deployment text primary key, version integer not null);

create table member (
    deployment text, address text, port integer, generation integer, silo_name text not null, host_name text not null,
    status integer not null, proxy_port integer not null, suspect_times text, started_at timestamptz not null,
    alive_at timestamptz not null,
    primary key (deployment, address, port, generation)
);

create table reminder (
    service text, grain text, name text, started_at timestamptz not null, period bigint not null, hash integer not null,
    version integer not null,
    primary key (service, grain, name)
);

create table grain_state (
    service text, name text, key_low bigint, key_high bigint, key_text text, version integer not null, payload bytea,
    primary key (service, name, key_low, key_high, key_text)
);

-- Membership: each change raises the table's version, and fails if that is no longer the version that the silo read.
insert into OrleansQuery values
('InsertMembershipVersionKey', '
    with inserted as (insert into membership_version values (@DeploymentId, 0) on conflict do nothing returning 1)
    select exists (select from inserted)
'),
('InsertMembershipKey', '
    with raised as (
        update membership_version set version = version + 1
        where deployment = @DeploymentId and version = @Version and not exists (
            select from member
            where deployment = @DeploymentId and address = @Address and port = @Port and generation = @Generation)
        returning 1),
    inserted as (
        insert into member
        select @DeploymentId, @Address, @Port, @Generation, @SiloName, @HostName, @Status, @ProxyPort, null, @StartTime,
            @IAmAliveTime
        from raised
        returning 1)
    select exists (select from inserted)
'),
('UpdateMembershipKey', '
    with raised as (
        update membership_version set version = version + 1
        where deployment = @DeploymentId and version = @Version and exists (
            select from member
            where deployment = @DeploymentId and address = @Address and port = @Port and generation = @Generation)
        returning 1),
    changed as (
        update member set status = @Status, suspect_times = @SuspectTimes, alive_at = @IAmAliveTime
        where exists (select from raised)
            and deployment = @DeploymentId and address = @Address and port = @Port and generation = @Generation
        returning 1)
    select exists (select from changed)
'),
('UpdateIAmAlivetimeKey', '
    update member set alive_at = @IAmAliveTime
    where deployment = @DeploymentId and address = @Address and port = @Port and generation = @Generation
'),
('MembershipReadRowKey', '
    select version as Version, address as Address, port as Port, generation as Generation, silo_name as SiloName,
        host_name as HostName, status as Status, proxy_port as ProxyPort, suspect_times as SuspectTimes,
        started_at as StartTime, alive_at as IAmAliveTime
    from membership_version v left join member m
        on m.deployment = v.deployment and address = @Address and port = @Port and generation = @Generation
    where v.deployment = @DeploymentId
'),
('MembershipReadAllKey', '
    select version as Version, address as Address, port as Port, generation as Generation, silo_name as SiloName,
        host_name as HostName, status as Status, proxy_port as ProxyPort, suspect_times as SuspectTimes,
        started_at as StartTime, alive_at as IAmAliveTime
    from membership_version v left join member m on m.deployment = v.deployment
    where v.deployment = @DeploymentId
'),
('GatewaysQueryKey', '
    select address as Address, proxy_port as ProxyPort, generation as Generation
    from member
    where deployment = @DeploymentId and status = @Status and proxy_port > 0
'),
('DeleteMembershipTableEntriesKey', '
    with gone as (delete from member where deployment = @DeploymentId)
    delete from membership_version where deployment = @DeploymentId
'),
('CleanupDefunctSiloEntriesKey', '
    delete from member where deployment = @DeploymentId and alive_at < @IAmAliveTime and status = 6
'),

-- Reminders: a range of hashes that wraps around ends before it begins.
('ReadReminderRowsKey', '
    select grain as GrainId, name as ReminderName, started_at as StartTime, period as Period, version as Version
    from reminder where service = @ServiceId and grain = @GrainId
'),
('ReadReminderRowKey', '
    select grain as GrainId, name as ReminderName, started_at as StartTime, period as Period, version as Version
    from reminder where service = @ServiceId and grain = @GrainId and name = @ReminderName
'),
('ReadRangeRows1Key', '
    select grain as GrainId, name as ReminderName, started_at as StartTime, period as Period, version as Version
    from reminder where service = @ServiceId and hash > @BeginHash and hash <= @EndHash
'),
('ReadRangeRows2Key', '
    select grain as GrainId, name as ReminderName, started_at as StartTime, period as Period, version as Version
    from reminder where service = @ServiceId and (hash > @BeginHash or hash <= @EndHash)
'),
('UpsertReminderRowKey', '
    insert into reminder as stored values (@ServiceId, @GrainId, @ReminderName, @StartTime, @Period, @GrainHash, 0)
    on conflict (service, grain, name) do update
    set started_at = excluded.started_at, period = excluded.period, version = stored.version + 1
    returning version as Version
'),
('DeleteReminderRowKey', '
    with gone as (
        delete from reminder
        where service = @ServiceId and grain = @GrainId and name = @ReminderName and version = @Version
        returning 1)
    select exists (select from gone)
'),
('DeleteReminderRowsKey', 'delete from reminder where service = @ServiceId'),

-- States: one that was never read has no version and must not exist; any other must have the version it was read with.
-- Otherwise no row comes back, which Orleans treats as a conflict.
('WriteToStorageKey', '
    insert into grain_state as stored (service, name, key_low, key_high, key_text, version, payload)
    select @ServiceId, @GrainTypeString, @GrainIdN0, @GrainIdN1, coalesce(@GrainIdExtensionString, ''''), 1, @PayloadBinary
    where @GrainStateVersion is null or exists (
        select from grain_state
        where service = @ServiceId and name = @GrainTypeString
            and key_low = @GrainIdN0 and key_high = @GrainIdN1 and key_text = coalesce(@GrainIdExtensionString, ''''))
    on conflict (service, name, key_low, key_high, key_text) do update
    set version = stored.version + 1, payload = excluded.payload
    where stored.version = @GrainStateVersion
    returning version as NewGrainStateVersion
'),
('ReadFromStorageKey', '
    select payload as PayloadBinary, version as Version
    from grain_state
    where service = @ServiceId and name = @GrainTypeString
        and key_low = @GrainIdN0 and key_high = @GrainIdN1 and key_text = coalesce(@GrainIdExtensionString, '''')
'),
('ClearStorageKey', '
    update grain_state set payload = null, version = version + 1
    where service = @ServiceId and name = @GrainTypeString and key_low = @GrainIdN0 and key_high = @GrainIdN1
        and key_text = coalesce(@GrainIdExtensionString, '''') and version = @GrainStateVersion
    returning version as NewGrainStateVersion
');
