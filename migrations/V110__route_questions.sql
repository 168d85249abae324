-- Questions to gateways that hang on another control plane than the one that was asked, and their answers. A row lives for as
-- long as somebody waits, a minute at most.

create table route_questions (
    id            uuid primary key,
    control_plane text        not null,
    question      jsonb       not null,
    answer        jsonb,
    asked_at      timestamptz not null default now()
);
