-- What came to routes, upstreams, gateways and the whole installation, in slots of 5 s and of 60 s. A row is what one writer
-- knows of one thing in one slot; what several writers know adds up. A writer is one run of one control plane, so none ever
-- touches what another wrote. Old slots are deleted.

create table traffic (
    seconds    smallint    not null,
    kind       text        not null,
    id         text collate "C" not null,
    slot       timestamptz not null,
    writer     text        not null,
    requests   bigint      not null,
    failures   bigint      not null,
    bytes      bigint      not null,
    cells      bytea       not null,
    primary key (seconds, kind, id, slot, writer)
) with (fillfactor = 80);
create index traffic_slot on traffic (seconds, slot);

-- Up to which report what each gateway said is counted: each is counted once, whichever control planes hear it.
create table traffic_reports (
    gateway_id  text collate "C" primary key,
    started_at  timestamptz not null,
    sequence    bigint      not null,
    reported_at timestamptz not null default now()
);
