import { Code, Paper } from '@mantine/core';

/** JSON to be read. */
export function JsonText({ children }: { children: string }) {
  return (
    <Paper withBorder>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {children}
      </Code>
    </Paper>
  );
}
