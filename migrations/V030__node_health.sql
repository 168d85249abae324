-- What each gateway holds of the nodes of upstreams, written by the control plane that it hangs on, so that any of them can
-- answer. Gateways repeat it every few seconds to minutes; what is not repeated is old.

create table node_health (
    gateway_id  text collate "C" not null,
    upstream_id text collate "C" not null,
    url         text        not null,
    state       text        not null,
    since       timestamptz not null,
    reason      text        not null,
    events      jsonb       not null,
    reported_at timestamptz not null default now(),
    primary key (upstream_id, url, gateway_id)
);
create index node_health_reported_at on node_health (reported_at);
