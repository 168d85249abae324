import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { NodeHistory } from '@/features/resources/node-history';
import { UpstreamHealth } from '@/features/resources/upstream-health';
import type { NodeHistoryFilter } from '@/lib/api/get-upstream-health';
import { rich, t } from '@/locales';

interface UpstreamHealthPageProps {
  readonly id: string;
  readonly filter: NodeHistoryFilter;
  readonly onFilter: (filter: NodeHistoryFilter) => void;
}

/** How the nodes of an upstream are, and how they were. */
export function UpstreamHealthPage({ id, filter, onFilter }: UpstreamHealthPageProps) {
  return (
    <>
      <PageHeader
        title={t('Health of {id}', { id })}
        above={
          <Anchor
            size="xs"
            renderRoot={(props) => <Link {...props} to="/$kind/$id" params={{ kind: 'upstreams', id }} />}
          >
            {rich('Upstream {id}', { id: <Mono>{id}</Mono> })}
          </Anchor>
        }
        subtitle={t('The state of the nodes at each gateway, and every change that gateways reported.')}
      />
      <UpstreamHealth id={id} />
      <NodeHistory id={id} filter={filter} onFilter={onFilter} />
    </>
  );
}
