import { Input, SegmentedControl, Switch, Text } from '@mantine/core';
import { useRef } from 'react';
import { contractFacts } from '#contract';
import { isDraft, toDraft, valueAt, type Draft } from '@/components/form/draft';
import { factsOf, helpOf } from '@/components/form/field-facts';
import { FieldsGrid } from '@/components/form/fields-grid';
import type { AnyGroup } from '@/components/form/field-types';
import type { FieldProps } from '@/components/form/field-view';
import classes from '@/components/form/form.module.css';
import { useFormState, useLabels } from '@/components/form/form-context';
import { RichText } from '@/components/rich-text';
import { pointerOf } from '@/lib/json-pointer';

/** An object: always there, there by a switch, or a plugin that is inherited, on or off. */
export function GroupView({ field, schema, path }: FieldProps<AnyGroup>) {
  const { draft, errors, change } = useFormState();
  const say = useLabels(schema);
  const sayInside = useLabels(field.schema);
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
          <FieldsGrid schema={field.schema} shape={field.fields} path={path} />
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
              <FieldsGrid schema={field.schema} shape={field.fields} path={path} />
            </div>
          )}
        </div>
      );
    case 'plugin':
      return (
        <div className={classes.plugin} role="group" aria-label={field.label}>
          <div className={classes.pluginHead}>
            <div>
              <Text fw={550} size="sm">
                {field.label}
              </Text>
              <Input.Description>
                <RichText text={sayInside(contractFacts[field.schema].description ?? '')} />
              </Input.Description>
            </div>
            <SegmentedControl
              aria-label={`${field.label} at this level`}
              size="xs"
              data={[
                { value: 'inherit', label: 'Inherit' },
                { value: 'on', label: 'On' },
                { value: 'off', label: 'Off' },
              ]}
              value={!isDraft(value) ? 'inherit' : value.enabled === false ? 'off' : 'on'}
              onChange={(state) =>
                put(
                  state === 'inherit'
                    ? undefined
                    : { ...(isDraft(value) ? value : aside.current), enabled: state === 'on' },
                )
              }
            />
          </div>
          {errorView}
          {isDraft(value) && Object.keys(field.fields).length > 1 && (
            <div className={classes.inner}>
              <FieldsGrid
                schema={field.schema}
                shape={field.fields}
                path={path}
                only={Object.keys(field.fields).filter((key) => key !== 'enabled')}
              />
            </div>
          )}
        </div>
      );
  }
}
