import { Switch } from '@mantine/core';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { EnabledBadge } from '@/components/enabled-badge';
import { useBatch } from '@/lib/api/batch';
import { kinds, type Kind } from '@/lib/kinds';
import { useReadOnly } from '@/lib/may-change';
import { t } from '@/locales';

interface StateSwitchProps {
  readonly kind: Kind;
  readonly id: string;
  readonly enabled: boolean | undefined;
  readonly labels: Readonly<Record<string, string>> | undefined;
}

/** Shows whether a resource is used, and switches it. */
export function StateSwitch({ kind, id, enabled = true, labels = {} }: StateSwitchProps) {
  const readOnly = useReadOnly(kind, labels);
  const { singular, contractKind } = kinds[kind];
  const word = enabled ? t('Disabled') : t('Enabled');
  const { mutate, isPending } = useBatch({
    onDone: ({ revision }) => announceRevision(`${word} ${singular} ${id}`, revision),
    onFailed: (error) => announceFailure(t('The {singular} {id} is as before', { singular, id }), error),
  });
  if (readOnly !== undefined) {
    return (
      <span title={readOnly}>
        <EnabledBadge enabled={enabled} />
      </span>
    );
  }
  return (
    <Switch
      size="sm"
      aria-label={t('Enabled: {id}', { id })}
      // What was asked for, until it is done.
      checked={isPending ? !enabled : enabled}
      disabled={isPending}
      onChange={() =>
        mutate({
          operations: [{ action: 'PATCH', kind: contractKind, id, body: { enabled: !enabled } }],
          message: undefined,
        })
      }
    />
  );
}
