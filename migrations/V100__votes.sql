-- What control planes ask each other's gateways before a write commits, and the answers. Unlogged, because a crash of the
-- database also ends the write that is asked about. Rows live for the time of a write; what a control plane leaves behind
-- that died meanwhile is deleted after two minutes.

create unlogged table proposals (
    id             text collate "C" primary key,
    control_plane  text        not null,
    base_revision  bigint      not null,
    base_hash      text        not null,
    revision       bigint      not null,
    state_hash     text        not null,
    timeout_millis integer     not null,
    body           bytea       not null,
    created_at     timestamptz not null default now()
);
alter table proposals alter column body set storage external;

create unlogged table votes (
    proposal_id text collate "C" not null references proposals (id) on delete cascade,
    gateway_id  text collate "C" not null,
    vote        jsonb            not null,
    primary key (proposal_id, gateway_id)
);
