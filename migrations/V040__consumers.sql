-- Those who use what the gateways serve. Keys and passwords are in `spec` as hashes only.

create table consumers (
    id         text collate "C" primary key,
    spec       jsonb       not null,
    name       text generated always as (spec ->> 'name') stored,
    revision   bigint      not null,
    updated_at timestamptz not null
);
