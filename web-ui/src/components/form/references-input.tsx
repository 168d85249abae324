import { MultiSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import classes from '@/components/form/form.module.css';
import { NewResource } from '@/components/form/new-resource';
import { searchResources } from '@/lib/api/search-resources';
import { kinds, type Kind } from '@/lib/kinds';
import { useMayWrite } from '@/lib/session';
import { useStagedIds } from '@/lib/staged';
import { t } from '@/locales';

const OPTIONS_MAX = 50;
const TYPING_PAUSE_MILLIS = 200;

interface ReferencesInputProps {
  readonly kind: Kind;
  readonly value: readonly string[];
  readonly onChange: (ids: string[] | undefined) => void;
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
}

/** Chooses several resources by typing what is in them; the control plane searches. */
export function ReferencesInput({ kind, value, onChange, ...props }: ReferencesInputProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MILLIS);
  const { data, isPending, isError } = useQuery(
    searchResources(kind, search === '' ? {} : { q: search }, OPTIONS_MAX),
  );
  const mayChange = useMayWrite()(kinds[kind].contractKind);
  const staged = useStagedIds(kind, search);
  const found = [...(data?.items.map(({ id = '' }) => id) ?? []), ...staged];
  const names = new Map(data?.items.map((item) => [item.id ?? '', item.name]));
  return (
    <div>
      <MultiSelect
        {...props}
        searchable
        data={[...new Set([...value, ...found])]}
        value={[...value]}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(ids) => onChange(ids.length === 0 ? undefined : ids)}
        // The control plane has searched already, in more than is shown.
        filter={({ options }) =>
          options.filter((option) => 'value' in option && found.includes(option.value))
        }
        hidePickedOptions
        placeholder={value.length === 0 ? t('Choose {kind}', { kind: kinds[kind].plural }) : undefined}
        nothingFoundMessage={
          isPending
            ? t('Loading…')
            : isError
              ? t('Loading failed')
              : t(search === '' ? 'No {kind} yet' : 'No {kind} matches', { kind: kinds[kind].singular })
        }
        renderOption={({ option }) => (
          <span className={classes.option}>
            <span className={classes.monoText}>{option.value}</span>
            <Text span size="xs" c="dimmed">
              {names.get(option.value)}
            </Text>
          </span>
        )}
        classNames={{ pill: classes.mono }}
      />
      {mayChange && (
        <Text size="xs" mt={4}>
          <NewResource kind={kind} />
        </Text>
      )}
    </div>
  );
}
