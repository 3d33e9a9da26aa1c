import { Button, Group, Text, Title } from '@mantine/core'
import { IconCopy, IconPrinter } from '@tabler/icons-react'
import { useId, useState } from 'react'

import { plainText, type PrivacyText } from '../../domain/privacy-texts.ts'
import { copyText } from '../ui/copy-text.ts'
import { PrintSheet } from '../ui/print-sheet.tsx'
import { printOut } from '../ui/printing.ts'

/** A text that the library makes its own: read, copied or printed. */
export function PrivacyTextPanel({ text, about }: { text: PrivacyText; about: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const print = () =>
    printOut(
      <PrintSheet paper="upright" title={text.title}>
        <h1>{text.title}</h1>
        <Parts text={text} />
      </PrintSheet>,
    )
  return (
    <section className="panel">
      <Title order={2} size="h4" mb="xs">
        {text.title}
      </Title>
      <Text>{about}</Text>
      <Group mt="sm">
        <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Replier' : 'Lire'}
        </Button>
        {/* Browsers give no clipboard to pages that come without HTTPS. */}
        {'clipboard' in navigator ? (
          <Button
            variant="default"
            leftSection={<IconCopy size="1.2em" aria-hidden />}
            onClick={() => void copyText(plainText(text), 'Texte copié.')}
          >
            Copier
          </Button>
        ) : null}
        <Button variant="default" leftSection={<IconPrinter size="1.2em" aria-hidden />} onClick={print}>
          Imprimer
        </Button>
      </Group>
      <div id={id}>{isOpen ? <Parts text={text} /> : null}</div>
    </section>
  )
}

const Parts = ({ text: { parts } }: { text: PrivacyText }) =>
  parts.map(({ title, lines }) => (
    <div key={title}>
      <Title order={3} size="h5" mt="md">
        {title}
      </Title>
      {lines.map((line) => (
        <Text key={line} mt="0.25rem">
          {line}
        </Text>
      ))}
    </div>
  ))
