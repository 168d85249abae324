import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan, IconDoorEnter, IconPlayerSkipForward, IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Gateway, GatewayRevocation, GatewayWaiver } from '#client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { RefusalText } from '@/components/refusal-text';
import { RowAction } from '@/components/row-action';
import { StateBadge } from '@/components/state-badge';
import { TableCard } from '@/components/table-card';
import { LastTime, TimeAgo } from '@/components/time-ago';
import { RevokeDialog } from '@/features/gateways/revoke-dialog';
import { WaiveDialog } from '@/features/gateways/waive-dialog';
import { listGatewayRevocations, useReadmitGateway } from '@/lib/api/gateway-revocations';
import { useEndGatewayWaiver } from '@/lib/api/gateway-waivers';
import { listGateways } from '@/lib/api/list-gateways';
import { useHasRole, useSession } from '@/lib/session';
import { whoOf } from '@/lib/who';
import { listed, number, rich, t } from '@/locales';

const ROWS_SHOWN = 1000;

/** A gateway that reports itself, one that is shut out, or for a moment both. */
interface Row {
  readonly id: string;
  readonly gateway?: Gateway;
  readonly revocation?: GatewayRevocation;
}

const columns: readonly Column<Row>[] = [
  {
    header: t('Gateway'),
    cell: ({ id, gateway }) => (
      <>
        <Mono long>{id}</Mono>
        {gateway !== undefined && (
          <Text size="xs" c="dimmed" fw={400}>
            {listed([gateway.host, t('version {version}', { version: gateway.version })])}
          </Text>
        )}
      </>
    ),
  },
  { header: t('State'), cell: (row) => <State row={row} /> },
  {
    header: t('Revision'),
    right: true,
    cell: ({ gateway }) => (gateway?.revision === 0 ? t('none') : gateway?.revision),
  },
  { header: t('Revisions behind'), right: true, cell: ({ gateway }) => gateway?.lag },
  {
    header: t('Control plane'),
    cell: ({ gateway }) => gateway && <Mono>{gateway.controlPlane ?? t('none')}</Mono>,
  },
  { header: t('Last seen'), cell: ({ gateway }) => gateway && <LastTime at={gateway.lastSeen} /> },
  {
    header: t('See'),
    cell: ({ id }) => (
      <Group gap="xs">
        <Anchor
          size="sm"
          aria-label={t('Connections of {id}', { id })}
          renderRoot={(props) => <Link {...props} to="/gateways/$id/connections" params={{ id }} />}
        >
          {t('Connections')}
        </Anchor>
        <Anchor
          size="sm"
          aria-label={t('Traffic of {id}', { id })}
          renderRoot={(props) => <Link {...props} to="/traffic" search={{ kind: 'gateway', id }} />}
        >
          {t('Traffic')}
        </Anchor>
      </Group>
    ),
  },
];

export function GatewaysPage() {
  // Not before it is known who asks: what is refused is in the audit log.
  const known = useSession().account !== undefined;
  const admin = useHasRole('ADMIN') && known;
  const gateways = useQuery(listGateways);
  const revocations = useQuery({ ...listGatewayRevocations, enabled: admin });
  const readmission = useReadmitGateway();
  const [chosen, setChosen] = useState<string>();
  const [revoking, { open: askToRevoke, close: closeRevocation }] = useDisclosure();
  const [readmitting, { open: askToReadmit, close: closeReadmission }] = useDisclosure();
  const [waiving, { open: askToWaive, close: closeWaiver }] = useDisclosure();
  const [counting, { open: askToCount, close: closeCounting }] = useDisclosure();
  const ending = useEndGatewayWaiver();
  const [all, setAll] = useState(false);
  const rows = gateways.data && rowsOf(gateways.data, revocations.data ?? []);
  const actions: Column<Row> = {
    header: t('Actions'),
    width: 84,
    // The same buttons before and after, so that the focus stays on them.
    cell: ({ id, gateway, revocation }) => (
      <Group gap={4} wrap="nowrap">
        <RowAction
          title={revocation === undefined ? t('Revoke') : t('Readmit')}
          subject={id}
          icon={revocation === undefined ? IconBan : IconDoorEnter}
          onClick={() => {
            setChosen(id);
            if (revocation === undefined) {
              askToRevoke();
            } else {
              readmission.reset();
              askToReadmit();
            }
          }}
        />
        {revocation === undefined && gateway !== undefined && isWaivable(gateway) && (
          <RowAction
            title={gateway.waiver === undefined ? t('Waive') : t('End waiver')}
            subject={id}
            icon={gateway.waiver === undefined ? IconPlayerSkipForward : IconScale}
            onClick={() => {
              setChosen(id);
              if (gateway.waiver === undefined) {
                askToWaive();
              } else {
                ending.reset();
                askToCount();
              }
            }}
          />
        )}
      </Group>
    ),
  };
  return (
    <>
      <PageHeader
        title={t('Gateways')}
        subtitle={t('The instances that carry the traffic, as they report their state.')}
        actions={
          admin && (
            <Button
              variant="default"
              leftSection={<IconBan size={16} />}
              onClick={() => {
                setChosen(undefined);
                askToRevoke();
              }}
            >
              {t('Revoke by name…')}
            </Button>
          )
        }
      />
      {admin && revocations.data === undefined && revocations.error !== null && (
        <Box mb="md">
          <ProblemAlert error={revocations.error} onRetry={() => void revocations.refetch()} />
        </Box>
      )}
      <TableCard
        query={{
          data: all ? rows : rows?.slice(0, ROWS_SHOWN),
          error: gateways.error,
          refetch: gateways.refetch,
        }}
        columns={admin ? [...columns, actions] : columns}
        rowKey={({ id }) => id}
        minWidth={760}
        empty={
          <EmptyState title={t('No gateway yet')}>
            {rich(
              'Start a gateway with this control plane in its list ({setting}) and a join token. It then appears here.',
              { setting: <Mono>SIGMA_CONTROL_PLANES</Mono> },
            )}
          </EmptyState>
        }
      />
      {!all && rows !== undefined && rows.length > ROWS_SHOWN && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => setAll(true)}>
            {t('Show all {count}', { count: number(rows.length) })}
          </Button>
        </Group>
      )}
      <WaiveDialog id={chosen ?? ''} opened={waiving} onClose={closeWaiver} />
      <ConfirmDialog
        title={t('End the waiver of gateway {id}?', { id: chosen ?? '' })}
        action={t('End waiver')}
        opened={counting}
        onClose={closeCounting}
        doing={ending}
        onConfirm={() => chosen !== undefined && ending.mutate(chosen, { onSuccess: closeCounting })}
      >
        {t('While the gateway refuses the newest revision, Sigma refuses other changes.')}
      </ConfirmDialog>
      <RevokeDialog id={chosen} opened={revoking} onClose={closeRevocation} />
      <ConfirmDialog
        title={t('Readmit gateway {id}?', { id: chosen ?? '' })}
        action={t('Readmit')}
        opened={readmitting}
        onClose={closeReadmission}
        doing={readmission}
        onConfirm={() => chosen !== undefined && readmission.mutate(chosen, { onSuccess: closeReadmission })}
      >
        {t('The gateway may enroll again with the join token. Its earlier certificates stay refused.')}
      </ConfirmDialog>
    </>
  );
}

function rowsOf(gateways: readonly Gateway[], revocations: readonly GatewayRevocation[]): readonly Row[] {
  const rows = new Map<string, Row>(gateways.map((gateway) => [gateway.id, { id: gateway.id, gateway }]));
  for (const revocation of revocations) {
    const id = revocation.gatewayId;
    rows.set(id, { id, gateway: rows.get(id)?.gateway, revocation });
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** One that refuses the newest revision, or was waived because it did. */
function isWaivable({ state, waiver }: Gateway): boolean {
  return state === 'REFUSED' || waiver !== undefined;
}

function Waiver({ waiver: { waivedAt, waivedBy, reason, revision } }: { waiver: GatewayWaiver }) {
  return (
    <Text size="xs" mt={4} maw={320}>
      {revision === undefined
        ? rich('Waived by {who}, {when}', { who: whoOf(waivedBy), when: <TimeAgo at={waivedAt} /> })
        : rich('Waived by {who}, {when}, at revision {number}', {
            who: whoOf(waivedBy),
            when: <TimeAgo at={waivedAt} />,
            number: revision,
          })}
      {reason !== undefined && `: ${reason}`}
    </Text>
  );
}

function State({ row: { gateway, revocation } }: { row: Row }) {
  if (revocation !== undefined) {
    const { revokedAt, revokedBy, reason } = revocation;
    return (
      <>
        <StateBadge state="REVOKED" />
        <Text size="xs" mt={4} maw={320}>
          {rich('by {who}, {when}', { who: whoOf(revokedBy), when: <TimeAgo at={revokedAt} /> })}
          {reason !== undefined && `: ${reason}`}
        </Text>
      </>
    );
  }
  return (
    gateway && (
      <>
        <StateBadge state={gateway.state} />
        {gateway.refusal !== undefined && <RefusalText refusal={gateway.refusal} />}
        {gateway.waiver !== undefined && <Waiver waiver={gateway.waiver} />}
      </>
    )
  );
}
