import type { SchemaName } from '#contract';
import type { Path } from '@/components/form/draft';
import type { AnyField, AnyShape } from '@/components/form/field-types';
import { FieldView } from '@/components/form/field-view';
import classes from '@/components/form/form.module.css';

interface FieldsGridProps {
  readonly schema: SchemaName;
  readonly shape: AnyShape;
  readonly path: Path;
  /** Which of them, and in which order; all by default. */
  readonly only?: readonly string[];
}

export function FieldsGrid({ schema, shape, path, only = Object.keys(shape) }: FieldsGridProps) {
  return (
    <div className={classes.grid}>
      {only.map((key) => {
        const field = shape[key];
        return field === undefined ? null : (
          <div
            key={key}
            className={isWide(field) ? classes.wide : field.type === 'switch' ? classes.centred : undefined}
          >
            <FieldView field={field} schema={schema} path={[...path, key]} />
          </div>
        );
      })}
    </div>
  );
}

function isWide(field: AnyField): boolean {
  return (
    field.wide === true ||
    field.type === 'group' ||
    field.type === 'rows' ||
    field.type === 'pairs' ||
    field.type === 'json'
  );
}
