import { Code } from '@mantine/core';

/** Text of the contract: what stands between backticks is code. */
export function RichText({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts of one text never change places.
      <Code key={index} px={2}>
        {part}
      </Code>
    ),
  );
}
