import { Anchor, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import classes from '@/components/form/form.module.css';
import { NewResource } from '@/components/form/new-resource';
import { searchResources } from '@/lib/api/search-resources';
import { kinds, withArticle, type Kind } from '@/lib/kinds';
import { useMayWrite } from '@/lib/session';
import { useStagedIds } from '@/lib/staged';
import { t } from '@/locales';

const OPTIONS_MAX = 50;
const TYPING_PAUSE_MILLIS = 200;

interface ReferenceInputProps {
  readonly kind: Kind;
  readonly value: string;
  readonly onChange: (id: string | undefined) => void;
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly placeholder?: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
  readonly clearable?: boolean;
  readonly hideLink?: boolean;
}

/** Chooses another resource by typing what is in it, such as its id, host or path; the control plane searches. */
export function ReferenceInput({
  kind,
  value,
  onChange,
  hideLink,
  placeholder,
  ...props
}: ReferenceInputProps) {
  const [typed, setTyped] = useState('');
  const [paused] = useDebouncedValue(typed, TYPING_PAUSE_MILLIS);
  const [used, setUsed] = useState(false);
  const search = paused === value ? '' : paused;
  const { data, isPending, isError } = useQuery({
    ...searchResources(kind, search === '' ? {} : { q: search }, OPTIONS_MAX),
    // A list has its filters beside what it shows first; few people use them.
    enabled: used || hideLink !== true,
  });
  const names = new Map(data?.items.map((item) => [item.id ?? '', item.name]));
  const ids = [...new Set([...names.keys(), ...useStagedIds(kind, search)])];
  const { singular } = kinds[kind];
  const mayChange = useMayWrite()(kinds[kind].contractKind);

  return (
    <div>
      <Select
        {...props}
        searchable
        data={value === '' || ids.includes(value) ? ids : [value, ...ids]}
        value={value === '' ? null : value}
        onChange={(id) => onChange(id ?? undefined)}
        onSearchChange={setTyped}
        onFocus={() => setUsed(true)}
        onDropdownOpen={() => setUsed(true)}
        // The control plane has searched already, in more than is shown.
        filter={({ options }) => options}
        placeholder={
          placeholder ??
          (hideLink === true
            ? t('Any {kind}', { kind: singular })
            : t('Choose {kind}', { kind: withArticle(singular) }))
        }
        nothingFoundMessage={
          isPending
            ? t('Loading…')
            : isError
              ? t('Loading failed')
              : t(search === '' ? 'No {kind} yet' : 'No {kind} matches', { kind: singular })
        }
        renderOption={({ option }) => (
          <span className={classes.option}>
            <span className={classes.monoText}>{option.value}</span>
            <Text span size="xs" c="dimmed">
              {names.get(option.value)}
            </Text>
          </span>
        )}
        classNames={{ input: classes.mono }}
      />
      {hideLink !== true && (
        <Text size="xs" mt={4}>
          {value === '' ? (
            mayChange && <NewResource kind={kind} />
          ) : (
            <Anchor
              inherit
              renderRoot={(anchor) => <Link {...anchor} to="/$kind/$id" params={{ kind, id: value }} />}
            >
              {t('Open {id}', { id: value })}
            </Anchor>
          )}
        </Text>
      )}
    </div>
  );
}
