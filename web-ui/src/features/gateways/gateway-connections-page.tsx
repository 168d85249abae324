import { Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConnectionProtocol, type GatewayConnection } from '#client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ChoiceFilter, ClearFilters, Filters, isFiltered } from '@/components/filters';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { ResourceLink } from '@/components/resource-link';
import { RowAction } from '@/components/row-action';
import { TableCard } from '@/components/table-card';
import { LastTime } from '@/components/time-ago';
import { TypedFilter } from '@/components/typed-filter';
import {
  listGatewayConnections,
  useCloseGatewayConnection,
  type ConnectionFilter,
} from '@/lib/api/gateway-connections';
import { bytes } from '@/lib/figures';
import { useLimit } from '@/lib/may-change';
import { useHasRole } from '@/lib/session';
import { number, t } from '@/locales';

const columns: readonly Column<GatewayConnection>[] = [
  {
    header: t('Client'),
    cell: (connection) => (
      <>
        <Mono>{clientOf(connection)}</Mono>
        <Text size="xs" c="dimmed">
          {connection.protocol}
          {connection.serverName !== undefined && ` · ${connection.serverName}`}
        </Text>
      </>
    ),
  },
  {
    header: t('Proxy server'),
    cell: ({ proxyServerId }) => <ResourceLink kind="proxy-servers" id={proxyServerId} />,
  },
  {
    header: t('Upstream'),
    cell: ({ upstreamId, node }) => (
      <>
        {upstreamId === undefined ? t('none yet') : <ResourceLink kind="upstreams" id={upstreamId} />}
        {node !== undefined && (
          <Text size="xs" c="dimmed">
            {node}
          </Text>
        )}
      </>
    ),
  },
  { header: t('Since'), cell: ({ startedAt }) => <LastTime at={startedAt} /> },
  { header: t('Revision'), right: true, cell: ({ revision }) => revision },
  { header: t('In'), right: true, cell: ({ bytesIn }) => bytes(bytesIn) },
  { header: t('Out'), right: true, cell: ({ bytesOut }) => bytes(bytesOut) },
];

interface GatewayConnectionsPageProps {
  readonly id: string;
  readonly filter: ConnectionFilter;
  readonly onFilter: (filter: ConnectionFilter) => void;
}

/** The open connections of a gateway, except those of HTTP. */
export function GatewayConnectionsPage({ id, filter, onFilter }: GatewayConnectionsPageProps) {
  const editor = useHasRole('EDITOR');
  const mayClose = !useLimit().some && editor;
  const query = useQuery({ ...listGatewayConnections(id, filter), placeholderData: keepPreviousData });
  const closing = useCloseGatewayConnection();
  const [chosen, setChosen] = useState<GatewayConnection>();
  const [asking, { open, close }] = useDisclosure();
  const list = query.data;
  const actions: Column<GatewayConnection> = {
    header: t('Actions'),
    width: 84,
    cell: (connection) => (
      <RowAction
        title={t('Close')}
        subject={clientOf(connection)}
        icon={IconPlugConnectedX}
        onClick={() => {
          setChosen(connection);
          closing.reset();
          open();
        }}
      />
    ),
  };
  return (
    <>
      <PageHeader
        title={t('Connections of {id}', { id })}
        above={
          <Anchor size="xs" renderRoot={(props) => <Link {...props} to="/gateways" />}>
            {t('Gateways')}
          </Anchor>
        }
        subtitle={t(
          'Open connections of TCP, TLS, Bolt, Dubbo and Thrift, WebSockets and other tunnels, the oldest first.',
        )}
      />
      <ConnectionFilters filter={filter} onFilter={onFilter} />
      <TableCard
        query={{ data: list?.items, error: query.error, refetch: query.refetch }}
        columns={mayClose ? [...columns, actions] : columns}
        rowKey={({ id: connectionId }) => connectionId}
        minWidth={760}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              title={t('No connection matches')}
              action={<ClearFilters onClear={() => onFilter({})} />}
            >
              {t('No open connection of this gateway fits the filters.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No open connections')}>
              {t('Connections appear while they are open. HTTP requests are not listed.')}
            </EmptyState>
          )
        }
      />
      {list !== undefined && list.matching > list.items.length && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('The oldest {shown} of {count} connections. Narrow the list to see others.', {
            shown: number(list.items.length),
            count: number(list.matching),
          })}
        </Text>
      )}
      <ConfirmDialog
        title={t('Close the connection of {client}?', {
          client: chosen === undefined ? '' : clientOf(chosen),
        })}
        action={t('Close connection')}
        opened={asking}
        onClose={close}
        doing={closing}
        onConfirm={() =>
          chosen !== undefined && closing.mutate({ id, connectionId: chosen.id }, { onSuccess: close })
        }
      >
        {t('Client and node lose the connection. The gateway first sends what it holds for them.')}
      </ConfirmDialog>
    </>
  );
}

function clientOf({ clientAddress, clientPort }: GatewayConnection): string {
  const address = clientAddress ?? t('unknown');
  const host = address.includes(':') ? `[${address}]` : address;
  return clientPort === undefined ? host : `${host}:${String(clientPort)}`;
}

function ConnectionFilters({ filter, onFilter }: Omit<GatewayConnectionsPageProps, 'id'>) {
  const typing = (
    key: 'proxyServerId' | 'upstreamId' | 'node' | 'clientAddress',
    label: string,
    example: string,
  ) => (
    <TypedFilter
      label={label}
      placeholder={example}
      value={filter[key]}
      onChange={(value) => onFilter({ ...filter, [key]: value })}
    />
  );
  // Viewers see no addresses of clients, and may not look for them.
  const editor = useHasRole('EDITOR');
  return (
    <Filters filter={filter}>
      {editor && typing('clientAddress', t('Client address'), '203.0.113.0/24')}
      {typing('proxyServerId', t('Proxy server'), 'databases')}
      {typing('upstreamId', t('Upstream'), 'orders')}
      {typing('node', t('Node'), 'http://10.0.0.1:5432')}
      <ChoiceFilter
        label={t('Protocol')}
        values={Object.values(ConnectionProtocol)}
        value={filter.protocol}
        onChange={(protocol) => onFilter({ ...filter, protocol })}
        w={150}
      />
    </Filters>
  );
}
