import '@mantine/core/styles/Radio.css'
import '@mantine/core/styles/Switch.css'

import { Radio, Select, Stack, Switch, Text, Title } from '@mantine/core'

import { type Import, importCharsets, importDelimiters, type OpenedFile } from '../../contract/imports.ts'
import { shortSample } from '../../domain/short-value.ts'
import { counted } from '../ui/words.ts'
import { charsetName, delimiterWords, howFound, kindWords } from './import-words.ts'
import styles from './imports.module.css'
import { useImportChange } from './use-import-change.ts'

/** What the file is, and its signs, shown rather than guessed; each is changed in one tap. */
export function HowItIsRead({ of }: { of: Import }) {
  const { send, isPending, sent } = useImportChange(of)
  const { kind, charset, delimiter, sheets, sheet, has_header, columns } = of.opened
  return (
    <section className="panel">
      <Stack>
        <div>
          <Title order={2} size="h4">
            Comment le fichier se lit
          </Title>
          <Text c="dimmed">
            {kindWords[kind]}
            {of.damaged > 0
              ? `. ${counted(of.damaged, 'ligne abîmée ne se lit pas', 'lignes abîmées ne se lisent pas')}.`
              : '.'}
          </Text>
        </div>
        {charset ? (
          <Charset
            charset={charset}
            chosen={sent?.charset}
            isPending={isPending}
            onChoose={(name) => send({ charset: name })}
          />
        ) : null}
        <div className={styles['fields']}>
          {delimiter === null ? null : (
            <Select
              label="Séparateur"
              allowDeselect={false}
              disabled={isPending}
              data={importDelimiters.map((value) => ({ value, label: delimiterWords[value] }))}
              value={sent?.delimiter ?? delimiter}
              onChange={(value) => {
                const next = importDelimiters.find((one) => one === value)
                if (next && next !== delimiter) send({ delimiter: next })
              }}
            />
          )}
          {sheets.length > 1 ? (
            <Select
              label="Feuille"
              allowDeselect={false}
              disabled={isPending}
              data={sheets}
              value={sent?.sheet ?? sheet}
              onChange={(value) => {
                if (value !== null && value !== sheet) send({ sheet: value })
              }}
            />
          ) : null}
        </div>
        {columns.length > 0 ? (
          <Switch
            size="lg"
            label="La première ligne nomme les colonnes"
            disabled={isPending}
            checked={sent?.has_header ?? has_header}
            onChange={({ currentTarget }) => send({ has_header: currentTarget.checked })}
          />
        ) : null}
      </Stack>
    </section>
  )
}

type CharsetProps = {
  charset: NonNullable<OpenedFile['charset']>
  chosen: (typeof importCharsets)[number] | undefined
  isPending: boolean
  onChoose: (name: (typeof importCharsets)[number]) => void
}

/** The same accented lines in each charset: whoever knows the words sees which one is right. */
function Charset({ charset: { name, how, samples }, chosen, isPending, onChoose }: CharsetProps) {
  const known = importCharsets.filter((one) => one === name || samples[one] !== undefined)
  // Other ones, such as UTF-16, are only ever found by their mark.
  if (!known.some((one) => one === name)) {
    return (
      <div>
        <Text fw={600}>
          Accents&#8239;: {charsetName(name)}, {howFound[how]}.
        </Text>
        <Samples lines={samples[name] ?? []} />
      </div>
    )
  }
  return (
    <Radio.Group
      label="Accents"
      description={`${charsetName(name)}\u202f: ${howFound[how]}. Choisissez celui où ces lignes s’écrivent bien.`}
      value={chosen ?? name}
      onChange={(value) => {
        const next = importCharsets.find((one) => one === value)
        if (next) onChoose(next)
      }}
    >
      <div className={styles['charsets']}>
        {known.map((one) => (
          <div key={one}>
            <Radio size="md" value={one} label={charsetName(one)} disabled={isPending} />
            <Samples lines={samples[one] ?? []} />
          </div>
        ))}
      </div>
    </Radio.Group>
  )
}

const Samples = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles['samples']}>
    {lines.slice(0, 3).map((line, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- lines of a file, which may be alike
      <li key={at} title={line}>
        {shortSample(line)}
      </li>
    ))}
  </ul>
)
