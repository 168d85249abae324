-- What control planes tell the clients of their event streams, in the order of the commits. The newest are kept, so that a client
-- goes on where it was, whichever control plane it comes back to.

create table event_log (
    id      bigint generated always as identity primary key,
    type    text             not null,
    subject text collate "C" not null,
    ordinal bigint           not null,
    mark    text             not null,
    data    text             not null,
    at      timestamptz      not null default clock_timestamp()
);
create index event_log_subject on event_log (subject, id);
