import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Gateway } from '#client';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { RefusalText } from '@/components/refusal-text';
import { StateBadge } from '@/components/state-badge';
import { TableCard } from '@/components/table-card';
import { LastTime } from '@/components/time-ago';
import { listGateways } from '@/lib/api/list-gateways';

const columns: readonly Column<Gateway>[] = [
  { header: 'Gateway', cell: ({ id }) => <Mono whole>{id}</Mono> },
  {
    header: 'State',
    cell: ({ state, refusal }) => (
      <>
        <StateBadge state={state} />
        {refusal !== undefined && <RefusalText refusal={refusal} />}
      </>
    ),
  },
  { header: 'Revision', right: true, cell: ({ revision }) => (revision === 0 ? 'none' : revision) },
  { header: 'Lag', right: true, cell: ({ lag }) => lag },
  { header: 'Host', cell: ({ host }) => <Mono whole>{host}</Mono> },
  { header: 'Version', cell: ({ version }) => version },
  { header: 'Control plane', cell: ({ controlPlane }) => <Mono>{controlPlane ?? 'none'}</Mono> },
  { header: 'Last seen', cell: ({ lastSeen }) => <LastTime at={lastSeen} /> },
  {
    header: 'Traffic',
    cell: ({ id }) => (
      <Link to="/traffic" search={{ kind: 'gateway', id }} aria-label={`Traffic of ${id}`}>
        Figures
      </Link>
    ),
  },
];

export function GatewaysPage() {
  const query = useQuery(listGateways);
  return (
    <>
      <PageHeader
        title="Gateways"
        subtitle="The instances that carry the traffic, as they report themselves."
      />
      <TableCard
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        minWidth={760}
        empty={
          <EmptyState title="No gateway yet">
            Start one with this control plane in its list (<Mono>SIGMA_CONTROL_PLANES</Mono>) and a join
            token; it appears here by itself.
          </EmptyState>
        }
      />
    </>
  );
}
