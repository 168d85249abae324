-- Changes of nodes that are too old are deleted every half minute by each control plane: without looking at those that are not.

create index node_events_at on node_events (at);
