import { Button, Select } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { ChoiceFilter, ClearFilters, Filters, isFiltered } from '@/components/filters';
import { ReferenceInput } from '@/components/form/reference-input';
import { PageHeader } from '@/components/page-header';
import { TypedFilter } from '@/components/typed-filter';
import { LastRequests } from '@/components/requests/last-requests';
import { NO_ROUTE, requestStatuses, type RequestFilter, type RequestStatus } from '@/lib/api/stream-requests';
import { listGateways } from '@/lib/api/list-gateways';
import { t } from '@/locales';

interface RequestsPageProps {
  readonly filter: RequestFilter;
  readonly onFilter: (filter: RequestFilter) => void;
}

export function RequestsPage({ filter, onFilter }: RequestsPageProps) {
  const gateways = useQuery(listGateways).data ?? [];
  const { gateway } = filter;
  const set = (change: RequestFilter) => onFilter({ ...filter, ...change });
  return (
    <>
      <PageHeader
        title={t('Last requests')}
        subtitle={t(
          'A sample of the requests that ended, without queries. Failures are kept apart, so that they stay longer.',
        )}
        actions={
          <Button
            variant="default"
            leftSection={<IconChartLine size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/traffic"
                search={filter.route === undefined ? {} : { kind: 'route', id: filter.route }}
              />
            )}
          >
            {t('Traffic')}
          </Button>
        }
      />
      <Filters filter={filter}>
        <TypedFilter
          label={t('Text')}
          placeholder={t('Host, path, node or error')}
          w={240}
          value={filter.text}
          onChange={(text) => set({ text })}
        />
        <ChoiceFilter<RequestStatus>
          label={t('Status')}
          values={requestStatuses}
          nameOf={(status) => (status === 'failed' ? t('Failed') : status)}
          value={filter.status}
          onChange={(status) => set({ status })}
          w={130}
        />
        <ReferenceInput
          kind="routes"
          label={t('Route')}
          placeholder={t('Any, or {none}', { none: NO_ROUTE })}
          value={filter.route ?? ''}
          onChange={(route) => set({ route })}
          clearable
          hideLink
        />
        <ReferenceInput
          kind="proxy-servers"
          label={t('Proxy server')}
          value={filter.proxyServer ?? ''}
          onChange={(proxyServer) => set({ proxyServer })}
          clearable
          hideLink
        />
        <Select
          label={t('Gateway')}
          placeholder={t('Any')}
          data={[...new Set([...gateways.map(({ id }) => id), ...(gateway === undefined ? [] : [gateway])])]}
          value={gateway ?? null}
          onChange={(value) => set({ gateway: value ?? undefined })}
          clearable
          w={170}
          maw="100%"
        />
        <Button
          variant={filter.route === NO_ROUTE ? 'light' : 'default'}
          aria-pressed={filter.route === NO_ROUTE}
          onClick={() => set({ route: filter.route === NO_ROUTE ? undefined : NO_ROUTE })}
        >
          {t('Without a route')}
        </Button>
      </Filters>
      <LastRequests
        filter={filter}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              title={t('No request matches')}
              action={<ClearFilters onClear={() => onFilter({})} />}
            >
              {t('Requests that match appear here when they have ended.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No request yet')}>
              {t(
                'Requests appear here within two seconds after their end. A route whose access log is off shows none.',
              )}
            </EmptyState>
          )
        }
      />
    </>
  );
}
