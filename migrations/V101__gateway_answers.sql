-- What gateways said to revisions: a gateway that skips some answers them with the newer one. Kept for recent revisions.
create table gateway_answers (
    gateway_id text collate "C" not null,
    revision   bigint           not null,
    refused    boolean          not null,
    at         timestamptz      not null default now(),
    pointer    text,
    message    text,
    primary key (revision, gateway_id, refused)
);
