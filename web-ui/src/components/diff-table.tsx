import { Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import classes from '@/components/diff-table.module.css';
import { Mono } from '@/components/mono';
import { TableScroller } from '@/components/table-scroller';
import { jsonDiff, type FieldChange } from '@/lib/json-diff';
import { number, t } from '@/locales';

const SHOWN_MAX = 50;
/** Longer texts, such as certificates, are folded. */
const CHARS_SHOWN_MAX = 240;

/** The fields in which two states of a resource differ. */
export function DiffTable({ before, after }: { before: unknown; after: unknown }) {
  return <FieldChanges changes={jsonDiff(before, after)} />;
}

export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  const [all, setAll] = useState(false);
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No difference.')}
      </Text>
    );
  }
  // What was created has nothing before, what was deleted nothing after.
  const [hasBefore, hasAfter] = [
    changes.some(({ before }) => before !== undefined),
    changes.some(({ after }) => after !== undefined),
  ];
  const shown = all ? changes : changes.slice(0, SHOWN_MAX);
  return (
    <>
      <TableScroller minWidth={300} label={t('Differences')}>
        <Table verticalSpacing={5} horizontalSpacing="sm" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={hasBefore && hasAfter ? '30%' : '45%'}>{t('Field')}</Table.Th>
              {hasBefore && <Table.Th>{t('Before')}</Table.Th>}
              {hasAfter && <Table.Th>{t('After')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((change) => (
              <Table.Tr key={change.pointer}>
                <Table.Td>
                  <Mono>{change.pointer}</Mono>
                </Table.Td>
                {hasBefore && (
                  <Table.Td className={change.before === undefined ? undefined : classes.removed}>
                    <Side json={change.before} />
                  </Table.Td>
                )}
                {hasAfter && (
                  <Table.Td className={change.after === undefined ? undefined : classes.added}>
                    <Side json={change.after} other={change.before} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroller>
      {shown.length < changes.length && (
        <Button mt="xs" size="compact-sm" variant="default" onClick={() => setAll(true)}>
          {t('Show all {count} fields', { count: number(changes.length) })}
        </Button>
      )}
    </>
  );
}

function Side({ json, other }: { json: string | undefined; other?: string }) {
  if (json === undefined) {
    return (
      <Text size="sm" c="dimmed">
        —
      </Text>
    );
  }
  return (
    <>
      <Value json={json} />
      {json === other && (
        // Both sides read the same only where secrets are masked.
        <Text size="xs">{t('another secret')}</Text>
      )}
    </>
  );
}

/** A value as JSON. The lines of a text, such as those of a certificate, are lines. */
function Value({ json }: { json: string }) {
  const [open, setOpen] = useState(false);
  const text = /^".*\\n/.test(json) ? String(JSON.parse(json)).trimEnd() : json;
  const long = text.length > CHARS_SHOWN_MAX;
  return (
    <>
      <Mono lines>{long && !open ? `${text.slice(0, CHARS_SHOWN_MAX).trimEnd()}…` : text}</Mono>
      {long && (
        <div>
          <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('Show less') : t('Show all {count} characters', { count: number(text.length) })}
          </Button>
        </div>
      )}
    </>
  );
}
