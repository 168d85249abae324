import { ActionIcon, Button, Group, Input, SegmentedControl, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { SchemaName } from '#contract';
import { AddPlugin } from '@/components/form/add-plugin';
import { isDraft, toDraft, valueAt, type Draft, type DraftValue, type Path } from '@/components/form/draft';
import { meaningOf } from '@/components/form/field-facts';
import type { AnyGroup } from '@/components/form/field-types';
import { FieldsGrid } from '@/components/form/fields-grid';
import { FieldView, type FieldProps } from '@/components/form/field-view';
import classes from '@/components/form/form.module.css';
import { useFormState, useLabels } from '@/components/form/form-context';
import { PluginLead } from '@/components/form/plugins/plugin-lead';
import { useInheritedPlugins, type InheritedPlugin } from '@/components/form/inherited-plugins';
import { ResourceLink } from '@/components/resource-link';
import { RichText } from '@/components/rich-text';
import { pointerOf } from '@/lib/json-pointer';
import { kinds } from '@/lib/kinds';
import { rich, t } from '@/locales';

interface PluginsViewProps {
  readonly field: AnyGroup;
  readonly path: Path;
}

/** The plugins that are set at this level, and those that it inherits. Others are offered by "Add plugin". */
export function PluginsView({ field: { fields }, path }: PluginsViewProps) {
  const { draft, change, readOnly } = useFormState();
  const inherited = useInheritedPlugins(draft);
  const at = (name: string) => valueAt(draft, [...path, name]);
  // One that is emptied while it is edited stays until somebody removes it.
  const names = Object.keys(fields);
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(names.filter((name) => at(name) !== undefined)),
  );
  const set = names.filter((name) => at(name) !== undefined || kept.has(name));
  const others = [...inherited.keys()].filter((name) => fields[name] !== undefined && !set.includes(name));
  const put = (name: string, value: DraftValue) => {
    setKept((before) => new Set([...before, name]));
    change([...path, name], value);
  };
  const remove = (name: string) => {
    setKept((before) => new Set([...before].filter((one) => one !== name)));
    change([...path, name], undefined);
  };
  const draftOf = (name: string, config: object): DraftValue => {
    const field = fields[name];
    return field?.type === 'group' ? toDraft(field.fields, config) : JSON.stringify(config, null, 2);
  };
  return (
    <>
      {set.map((name) => {
        const field = fields[name];
        const before = inherited.get(name);
        return (
          field !== undefined && (
            <div key={name} className={classes.setPlugin}>
              {field.type === 'group' ? (
                <PluginCard
                  field={field}
                  schema="Plugins"
                  path={[...path, name]}
                  onRemove={() => remove(name)}
                />
              ) : (
                <>
                  <Group justify="flex-end" mb={-20}>
                    <RemoveButton label={field.label} onClick={() => remove(name)} />
                  </Group>
                  <FieldView field={field} schema="Plugins" path={[...path, name]} />
                </>
              )}
              {before !== undefined && (
                <Text size="xs" c="dimmed" mt={4}>
                  {rich('instead of {level}: {words}', {
                    level: <From plugin={before} />,
                    words: wordsOf(fields[name], before),
                  })}
                </Text>
              )}
            </div>
          )
        );
      })}
      {set.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          {t('No plugin is set here.')}
        </Text>
      )}
      {others.length > 0 && (
        <section aria-label={t('Inherited plugins')} className={classes.inherited}>
          <Text size="xs" fw={600} c="dimmed" mb={4}>
            {t('Inherited')}
          </Text>
          {others.map((name) => {
            const plugin = inherited.get(name);
            const label = fields[name]?.label ?? name;
            return (
              plugin && (
                <div key={name} className={classes.inheritedPlugin}>
                  <div>
                    <Text size="sm" fw={550} component="span">
                      {label}
                    </Text>{' '}
                    <Text size="xs" c="dimmed" component="span">
                      {rich('from {level}', { level: <From plugin={plugin} /> })}
                    </Text>
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {wordsOf(fields[name], plugin)}
                    </Text>
                  </div>
                  {!readOnly && (
                    <Group gap="xs" wrap="nowrap">
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('Set {label} here', { label })}
                        onClick={() => put(name, draftOf(name, plugin.config))}
                      >
                        {t('Set here')}
                      </Button>
                      {plugin.config.enabled !== false && fields[name]?.type === 'group' && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={t('Switch {label} off here', { label })}
                          onClick={() => put(name, { ...(draftOf(name, {}) as Draft), enabled: false })}
                        >
                          {t('Off here')}
                        </Button>
                      )}
                    </Group>
                  )}
                </div>
              )
            );
          })}
        </section>
      )}
      {!readOnly && (
        <AddPlugin
          shape={fields}
          names={names.filter((name) => !set.includes(name))}
          onAdd={(name) => put(name, fields[name]?.type === 'group' ? draftOf(name, {}) : '')}
        />
      )}
    </>
  );
}

function From({ plugin: { kind, id } }: { readonly plugin: InheritedPlugin }) {
  return (
    <>
      {kinds[kind].singular} <ResourceLink kind={kind} id={id} />
    </>
  );
}

/** What a level before says, in the words of the form. */
function wordsOf(field: AnyGroup['fields'][string] | undefined, { config }: InheritedPlugin): string {
  if (config.enabled === false) {
    return t('off');
  }
  const parts = Object.entries(config).filter(([key]) => key !== 'enabled');
  const labelOf = (key: string) => (field?.type === 'group' ? field.fields[key]?.label : undefined) ?? key;
  return parts.length === 0
    ? t('on')
    : parts
        .map(
          ([key, value]) => `${labelOf(key)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        )
        .join(', ');
}

interface PluginCardProps extends FieldProps<AnyGroup> {
  readonly onRemove?: () => void;
}

/** A plugin that this level switches on or off. */
export function PluginCard({ field, path, onRemove }: PluginCardProps) {
  const { draft, errors, change, readOnly } = useFormState();
  const say = useLabels(field.schema);
  const value = valueAt(draft, path);
  const on = !isDraft(value) || value.enabled !== false;
  const error = errors.get(pointerOf(path));
  return (
    <div role="group" aria-label={field.label}>
      <div className={classes.pluginHead}>
        <div>
          <Text fw={550} size="sm">
            {field.label}
          </Text>
          <Input.Description>
            <RichText text={say(meaningOf(field.schema))} />
          </Input.Description>
        </div>
        <Group gap="xs" wrap="nowrap">
          <SegmentedControl
            aria-label={t('{label} at this level', { label: field.label })}
            size="xs"
            data={[
              { value: 'on', label: t('On') },
              { value: 'off', label: t('Off here') },
            ]}
            value={on ? 'on' : 'off'}
            onChange={(state) =>
              change(path, {
                ...(isDraft(value) ? value : toDraft(field.fields, {})),
                enabled: state === 'on',
              })
            }
          />
          {onRemove !== undefined && !readOnly && <RemoveButton label={field.label} onClick={onRemove} />}
        </Group>
      </div>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
      {on && Object.keys(field.fields).length > 1 && (
        <div className={classes.inner}>
          <FieldsGrid schema={field.schema} shape={field.fields} path={path} only={inReadingOrder(field)} />
          <PluginLead schema={field.schema} path={path} />
        </div>
      )}
    </div>
  );
}

/** Who signs, with which keys, and what has to be in a token: what one asks first stands first. */
const readingOrders: Readonly<Partial<Record<SchemaName, readonly string[]>>> = {
  JwtPlugin: [
    'issuer',
    'audiences',
    'jwksUrl',
    'jwks',
    'secret',
    'secretPath',
    'algorithms',
    'consumerClaim',
  ],
};

function inReadingOrder({ schema, fields }: AnyGroup): readonly string[] {
  return [...new Set([...(readingOrders[schema] ?? []), ...Object.keys(fields)])].filter(
    (key) => key !== 'enabled',
  );
}

function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('Remove {label} from this level', { label })}
      title={t('Remove: the less specific level decides')}
      onClick={onClick}
    >
      <IconTrash size={16} />
    </ActionIcon>
  );
}
