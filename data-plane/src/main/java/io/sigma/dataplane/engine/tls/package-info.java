/**
 * TLS of connections of clients and to nodes: certificates by name, session tickets, OpenSSL or the JDK. Start at
 * {@link io.sigma.dataplane.engine.tls.ListenerTls} and {@link io.sigma.dataplane.engine.tls.NodeTls}. Contexts are
 * made on worker threads, and used on the event loops of connections.
 */
@NullMarked
package io.sigma.dataplane.engine.tls;

import org.jspecify.annotations.NullMarked;
