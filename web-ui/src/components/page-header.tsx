import { Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from '@/components/page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  readonly above?: ReactNode;
}

export function PageHeader({ title, subtitle, actions, above }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Sigma`;
  }, [title]);
  return (
    <div className={classes.header}>
      <div className={classes.title}>
        {above}
        <Title order={1} size="h2">
          {title}
        </Title>
        {subtitle !== undefined && (
          <Text c="dimmed" size="sm" mt={2} component="div">
            {subtitle}
          </Text>
        )}
      </div>
      {actions !== undefined && actions !== false && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
