import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Gateway } from '#client';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import classes from '@/components/stale-banner.module.css';
import { listGateways } from '@/lib/api/list-gateways';
import { latestRevisions } from '@/lib/api/list-revisions';
import { isKind, type Kind } from '@/lib/kinds';
import { listed, many, number, rich, t } from '@/locales';
import { translateServer } from '@/locales/server';

const NAMED_MAX = 3;

/** Says that gateways refuse the newest revision, so that writes are answered 409 until one mends it. */
export function RefusedBanner() {
  const head = useQuery(latestRevisions).data?.[0]?.number;
  const gateways = useQuery(listGateways).data ?? [];
  const refusing = gateways.filter(
    ({ state, refusal }) => state === 'REFUSED' && refusal !== undefined && refusal.revision === head,
  );
  const first = refusing.find(({ waived }) => waived !== true) ?? refusing[0];
  if (first?.refusal === undefined) {
    return null;
  }
  const { message, pointer } = first.refusal;
  const culprit = pointer === undefined ? undefined : culpritOf(pointer);
  return (
    <div className={classes.banner} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <span>
        {rich(
          refusing.length === 1
            ? '{gateways} refuses revision {head}: {message}'
            : '{gateways} refuse revision {head}: {message}',
          {
            gateways: <Link to="/gateways">{named(refusing)}</Link>,
            head,
            message: translateServer(message),
          },
        )}{' '}
        {culprit !== undefined && (
          <>
            <ResourceLink kind={culprit.kind} id={culprit.id} />{' '}
          </>
        )}
        {pointer !== undefined && <Mono>{pointer}</Mono>}{' '}
        {refusing.every(({ waived }) => waived === true)
          ? t('Writes do not wait for these gateways.')
          : t('Sigma refuses other changes until this is fixed.')}
      </span>
    </div>
  );
}

function named(refusing: readonly Gateway[]): string {
  const names = refusing.slice(0, NAMED_MAX).map(({ id }) => id);
  const more = refusing.length - names.length;
  const all =
    more > 0 ? t('{names} and {more} more', { names: listed(names), more: number(more) }) : listed(names);
  return many(refusing.length, 'Gateway {names}', 'Gateways {names}', { names: all });
}

/** The resource into which a pointer into the whole state leads, such as `/proxyPasses/to-shop/plugins`. */
export function culpritOf(pointer: string): { readonly kind: Kind; readonly id: string } | undefined {
  const [, field = '', id = ''] = pointer.split('/');
  const kind = field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  return isKind(kind) && id !== '' ? { kind, id: id.replaceAll('~1', '/').replaceAll('~0', '~') } : undefined;
}
