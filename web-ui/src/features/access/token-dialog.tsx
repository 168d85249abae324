import { Alert, Button, Code, CopyButton, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Kind as ContractKind, type Role } from '#client';
import { DialogForm, FormDialog, useKeepsDialogOpen } from '@/components/form-dialog';
import { RoleSelect } from '@/features/access/role-select';
import { useCreateApiToken } from '@/lib/api/api-tokens';
import { capitalized, kindOf, kinds } from '@/lib/kinds';
import { t } from '@/locales';

const DAY_MILLIS = 86_400_000;
const expiries = [
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
  { value: '', label: t('Never') },
];

interface TokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a token and shows it, once. */
export function TokenDialog({ opened, onClose }: TokenDialogProps) {
  return (
    <FormDialog title={t('New API token')} opened={opened} onClose={onClose} closeOnClickOutside={false}>
      <TokenForm onClose={onClose} />
    </FormDialog>
  );
}

function TokenForm({ onClose }: { readonly onClose: () => void }) {
  const creation = useCreateApiToken();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('EDITOR');
  const [only, setOnly] = useState<string[]>([]);
  const [labels, setLabels] = useState('');
  const [unclear, setUnclear] = useState(false);
  const labelsInput = useRef<HTMLInputElement>(null);
  const [days, setDays] = useState<string | null>('90');
  if (creation.data !== undefined) {
    // What is shown can not be shown again: only its own button closes it.
    return <Made token={creation.data.value.token} onClose={onClose} />;
  }
  const create = () => {
    const limit = labelsOf(labels);
    if (role === 'EDITOR' && limit === undefined) {
      // A limit that is not understood must not become another one, or none.
      setUnclear(true);
      labelsInput.current?.focus();
      return;
    }
    creation.mutate({
      name: name.trim(),
      role,
      ...(role === 'EDITOR' && only.length > 0
        ? { kinds: Object.values(ContractKind).filter((kind) => only.includes(kind)) }
        : {}),
      ...(role === 'EDITOR' && labels.trim() !== '' ? { labels: limit } : {}),
      ...(days === null || days === ''
        ? {}
        : { expiresAt: new Date(Date.now() + Number(days) * DAY_MILLIS).toISOString() }),
    });
  };
  return (
    <DialogForm action={t('Create token')} saving={creation} onSubmit={create} onClose={onClose}>
      <TextInput
        label={t('Name')}
        description={t('The name of the script or person. The history shows this name.')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        pattern="[A-Za-z0-9._\-]*"
        maxLength={64}
        required
        autoComplete="off"
        data-autofocus
      />
      <RoleSelect role={role} onRole={setRole} />
      {role === 'EDITOR' && (
        <>
          <MultiSelect
            label={t('Only these kinds')}
            placeholder={only.length === 0 ? t('All kinds') : undefined}
            data={Object.values(ContractKind).map((kind) => ({
              value: kind,
              label: capitalized(kinds[kindOf(kind)].plural),
            }))}
            value={only}
            onChange={setOnly}
            clearable
          />
          <TextInput
            label={t('Only resources with these labels')}
            description={t('For example team=shop, env=test')}
            value={labels}
            error={unclear ? t('Each label once, as key=value, separated by commas') : undefined}
            ref={labelsInput}
            onChange={(event) => {
              setLabels(event.currentTarget.value);
              setUnclear(false);
            }}
          />
        </>
      )}
      <Select label={t('Expires')} data={expiries} value={days} onChange={setDays} allowDeselect={false} />
    </DialogForm>
  );
}

function Made({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  useKeepsDialogOpen(true);
  return (
    <Stack>
      <Alert color="yellow" role="status" title={t('Copy it now')}>
        {t('Copy it now. Sigma stores only its hash and cannot show it again.')}
      </Alert>
      <Code block aria-label={t('Token')} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {token}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'Copied' : 'Copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}

/** Returns the labels that a text says; undefined where it is not clear which. */
function labelsOf(text: string): Record<string, string> | undefined {
  if (text.trim() === '') {
    return {};
  }
  const pairs = text.split(',').map((pair): [string, string] | undefined => {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, equals)).trim();
    return key === '' ? undefined : [key, pair.slice(equals + 1).trim()];
  });
  const known = pairs.filter((pair) => pair !== undefined);
  const labels = Object.fromEntries(known);
  return known.length === pairs.length && Object.keys(labels).length === known.length ? labels : undefined;
}
