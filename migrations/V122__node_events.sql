-- Changes of the state of nodes, as each gateway told of them, with what all gateways together held of the node from then on. Kept
-- for a while, and so many of each node.

create table node_events (
    id           bigint generated always as identity primary key,
    upstream_id  text collate "C" not null,
    url          text        not null,
    gateway_id   text collate "C" not null,
    at           timestamptz not null,
    from_state   text        not null,
    to_state     text        not null,
    cause        text        not null,
    reason       text        not null,
    merged       text        not null,
    disagreement boolean     not null
);
create index node_events_node on node_events (upstream_id, url, id);
create index node_events_upstream on node_events (upstream_id, id);
