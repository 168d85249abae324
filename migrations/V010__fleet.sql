-- The fleet: what each gateway last said, written by the control plane that it hangs on and read by the others, and the
-- authority that certifies gateways and control planes.

create table gateways (
    id            text collate "C" primary key,
    host          text        not null,
    version       text        not null,
    started_at    timestamptz not null,
    revision      bigint      not null,
    state_hash    text        not null,
    refusal       jsonb,
    stopping      boolean     not null,
    control_plane text        not null,
    last_seen     timestamptz not null
);
create index gateways_last_seen on gateways (last_seen);

-- At most one row. The private key is encrypted with a key that the database does not know.
create table cluster_authority (
    only_one    boolean primary key default true check (only_one),
    certificate text        not null,
    sealed_key  bytea       not null,
    created_at  timestamptz not null default now()
);
