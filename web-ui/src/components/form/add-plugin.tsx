import { Button, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { factsOf, meaningOf } from '@/components/form/field-facts';
import type { AnyField, AnyShape } from '@/components/form/field-types';
import classes from '@/components/form/form.module.css';
import { useLabels } from '@/components/form/form-context';
import { inGroups } from '@/components/form/plugin-groups';
import { RichText } from '@/components/rich-text';
import { translateContract } from '@/locales/contract';
import { t } from '@/locales';

interface AddPluginProps {
  readonly shape: AnyShape;
  /** Those that are not set here. */
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

/** Offers the plugins that are not set yet, in groups and with a search. */
export function AddPlugin({ shape, names, onAdd }: AddPluginProps) {
  const [opened, { open, close }] = useDisclosure();
  const [sought, setSought] = useState('');
  const say = useLabels('Plugins');
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const found = names.filter((name) => {
    const field = shape[name];
    const text = `${name} ${field?.label ?? ''} ${descriptionOf(name, field)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const add = (name: string) => {
    close();
    setSought('');
    onAdd(name);
  };
  return (
    <>
      <Button
        variant="default"
        style={{ justifySelf: 'start' }}
        leftSection={<IconPlus size={16} />}
        onClick={open}
        disabled={names.length === 0}
      >
        {t('Add plugin')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('Add plugin')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <TextInput
          data-autofocus
          type="search"
          aria-label={t('Search plugins')}
          placeholder={t('Search by name or by what it does')}
          leftSection={<IconSearch size={16} />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [only] = found;
            if (event.key === 'Enter') {
              // It must not send the form around.
              event.preventDefault();
              if (only !== undefined && words.length > 0) {
                add(only);
              }
            }
          }}
        />
        <Stack gap="md" mt="md">
          {inGroups(found).map(([title, members]) => (
            <section key={title} aria-label={title}>
              <Text size="xs" fw={600} c="dimmed" mb={4}>
                {title}
              </Text>
              {members.map((name) => {
                const field = shape[name];
                return (
                  <UnstyledButton
                    key={name}
                    className={classes.offer}
                    aria-label={field?.label ?? name}
                    onClick={() => add(name)}
                  >
                    <Text size="sm" fw={550} span>
                      {field?.label ?? name}
                    </Text>
                    <Text size="xs" c="dimmed" span className={classes.offerWords}>
                      <RichText text={say(descriptionOf(name, field))} />
                    </Text>
                  </UnstyledButton>
                );
              })}
            </section>
          ))}
          {found.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('No plugin matches.')}
            </Text>
          )}
        </Stack>
      </Modal>
    </>
  );
}

function descriptionOf(name: string, field: AnyField | undefined): string {
  return field?.type === 'group'
    ? meaningOf(field.schema)
    : (field?.help ?? translateContract(factsOf('Plugins', name).description ?? ''));
}
