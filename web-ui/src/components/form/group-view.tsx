import { Input, Switch } from '@mantine/core';
import { useRef } from 'react';
import { isDraft, toDraft, valueAt, type Draft } from '@/components/form/draft';
import { factsOf, helpOf } from '@/components/form/field-facts';
import { FieldsGrid } from '@/components/form/fields-grid';
import type { AnyGroup } from '@/components/form/field-types';
import type { FieldProps } from '@/components/form/field-view';
import classes from '@/components/form/form.module.css';
import { useFormState, useLabels } from '@/components/form/form-context';
import { HeadersTable } from '@/components/form/headers-table';
import { PluginCard, PluginsView } from '@/components/form/plugins-view';
import { pointerOf } from '@/lib/json-pointer';

/** An object: always there, there by a switch, or a plugin that is inherited, on or off. */
export function GroupView({ field, schema, path }: FieldProps<AnyGroup>) {
  const { draft, errors, change } = useFormState();
  const say = useLabels(schema);
  const value = valueAt(draft, path);
  // What was typed, for who switches it off and on again.
  const aside = useRef<Draft>(toDraft(field.fields, {}));
  const put = (next: Draft | undefined) => {
    if (next === undefined && isDraft(value)) {
      aside.current = value;
    }
    change(path, next);
  };
  const error = errors.get(pointerOf(path));
  const errorView = error === undefined ? null : <Input.Error role="alert">{error}</Input.Error>;

  switch (field.presence) {
    case 'always':
      return (
        <fieldset className={field.plain === true ? classes.group : classes.framed}>
          <legend className={field.plain === true ? classes.hidden : classes.legend}>{field.label}</legend>
          {field.help !== undefined && <Input.Description mb="xs">{field.help}</Input.Description>}
          {errorView}
          {field.schema === 'Plugins' ? (
            <PluginsView field={field} path={path} />
          ) : field.schema === 'HeaderEdits' ? (
            <HeadersTable label={field.label} path={path} />
          ) : (
            <FieldsGrid schema={field.schema} shape={field.fields} path={path} />
          )}
        </fieldset>
      );
    case 'optional':
      return (
        <div className={classes.group} role="group" aria-label={field.label}>
          <Switch
            label={field.label}
            description={helpOf(field, factsOf(schema, String(path.at(-1))), say)}
            error={error}
            checked={isDraft(value)}
            onChange={(event) => put(event.currentTarget.checked ? aside.current : undefined)}
          />
          {isDraft(value) && (
            <div className={classes.inner}>
              {field.schema === 'HeaderEdits' ? (
                <HeadersTable label={field.label} path={path} />
              ) : (
                <FieldsGrid schema={field.schema} shape={field.fields} path={path} />
              )}
            </div>
          )}
        </div>
      );
    case 'plugin':
      return <PluginCard field={field} schema={schema} path={path} />;
  }
}
