/* How long a proxy has each request, apart from how soon this program gets its turn: by when the kernel got its bytes. */
#include "load.h"

enum { NODES_MAX = 1 << 16 };

/* Requests reach the nodes in the order in which they began: the proxy has one thread, or few requests at a time. */
static uint64_t nodes[NODES_MAX]; /* ns that a node had the request of that number, modulo NODES_MAX */
static uint64_t begun, arrived;

void stamp_begin(struct conn *client, bool alone) {
  /* What was lost on the way shall not shift those after it. */
  if (alone) arrived = begun;
  client->number = begun++;
  nodes[client->number % NODES_MAX] = 0;
}

void stamp_node(const struct conn *node) {
  nodes[arrived++ % NODES_MAX] = node->sent - node->received;
}

void stamp_end(const struct conn *client) {
  uint64_t both = client->received - client->sent, node = nodes[client->number % NODES_MAX];
  if (client->received > client->sent && node && node < both) proxy_record(both - node);
}
