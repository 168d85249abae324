import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { newQueryClient } from '@/app/query-client';
import type { SchemaName } from '#contract';
import { toDraft, toResource, valueAt, withValueAt, type Draft, type Path } from '@/components/form/draft';
import type { AnyField, AnyShape } from '@/components/form/field-types';
import { FieldView } from '@/components/form/field-view';
import { FormContext } from '@/components/form/form-context';
import { resourceForms } from '@/features/resources/resource-forms';
import { allKinds } from '@/lib/kinds';

interface List {
  readonly name: string;
  readonly schema: SchemaName;
  readonly field: AnyField;
  readonly path: Path;
}

/** Every list of objects and every map in a shape, at any depth; those within rows stand in the first row. */
function listsIn(schema: SchemaName, shape: AnyShape, at: Path = []): readonly List[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const path = [...at, key];
    const own = field.type === 'rows' || field.type === 'pairs' || field.type === 'tags';
    const within =
      field.type === 'group'
        ? listsIn(field.schema, field.fields, path)
        : field.type === 'rows'
          ? listsIn(field.schema, field.fields, [...path, 0])
          : [];
    return own ? [{ name: path.join('.'), schema, field, path }, ...within] : within;
  });
}

const client = newQueryClient();

interface OneFieldProps {
  readonly start: Draft;
  readonly list: List;
  readonly onDraft: (draft: Draft) => void;
}

/** One field of a form that was just opened, or whose group was just switched on. */
function OneField({ start, list, onDraft }: OneFieldProps) {
  const [draft, setDraft] = useState(start);
  useEffect(() => onDraft(draft), [draft, onDraft]);
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <FormContext
          value={{
            draft,
            errors: new Map(),
            creating: true,
            readOnly: false,
            labels: new Map(),
            change: (path, value) => setDraft((known) => withValueAt(known, path, value) as Draft),
          }}
        >
          <FieldView field={list.field} schema={list.schema} path={list.path} />
        </FormContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function typedFields(): readonly HTMLInputElement[] {
  return screen
    .queryAllByRole('textbox')
    .filter((box): box is HTMLInputElement => box instanceof HTMLInputElement && !box.readOnly);
}

function addRow(): void {
  const add = screen.getAllByRole('button', { name: /^Add / }).at(-1);
  if (add !== undefined) {
    fireEvent.click(add);
  }
}

describe.each(allKinds)('the form of %s', (kind) => {
  const { schema, fields } = resourceForms[kind];
  const lists = listsIn(schema, fields);
  afterEach(cleanup);

  it.each(lists)('keeps what is typed into $name when a row is added', (list) => {
    const { field, path } = list;
    const start = toDraft(fields, {});
    let latest = start;
    const onDraft = (draft: Draft) => {
      latest = draft;
    };
    if (field.type === 'tags') {
      latest = withValueAt(start, path, ['7']) as Draft;
    } else {
      render(<OneField start={start} list={list} onDraft={onDraft} />);
      if (typedFields().length === 0) {
        addRow();
      }
      const [first] = typedFields();
      if (first === undefined) {
        // A row of choices alone: nothing is typed.
        return;
      }
      fireEvent.change(first, { target: { value: '7' } });
      addRow();
      expect(typedFields()[0]).toHaveValue('7');
    }
    const sent = toResource(fields, latest);
    expect(JSON.stringify(sent)).toContain('7');
    // However the draft came to be, it has the shape of one that was read.
    expect(Array.isArray(valueAt(latest, path))).toBe(true);
    expect(toResource(fields, toDraft(fields, sent))).toEqual(sent);
  });
});
