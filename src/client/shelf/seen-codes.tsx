import { Button, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { inWords } from '../page/house-words.ts'
import { counted } from '../ui/words.ts'
import type { Look } from './look.ts'
import type { SeenCode } from './shelf-walk.ts'
import styles from './shelf-picture.module.css'

/** One and several of each. */
export type ToneWords = Record<Look['tone'], readonly [string, string]>

type ToldProps = { codes: readonly SeenCode[]; lookOf: (code: SeenCode) => Look; words: ToneWords }

/** How many were seen, and of which kind. */
export function Told({ codes, lookOf, words }: ToldProps) {
  const tones = codes.map((code) => lookOf(code).tone)
  return (
    <div className={styles['told']} role="status">
      <strong>
        {codes.length === 0
          ? inWords('Cadrez les dos des livres')
          : counted(codes.length, 'code lu', 'codes lus')}
      </strong>
      {(Object.keys(words) as Look['tone'][]).map((tone) => {
        const count = tones.filter((one) => one === tone).length
        return count === 0 ? null : (
          <span key={tone} className={styles['dot']} data-look={tone}>
            {counted(count, ...words[tone])}
          </span>
        )
      })}
    </div>
  )
}

/** What is known of the code that was touched. */
export function Chosen({ look, code, acts }: { look: Look; code: string; acts: ReactNode }) {
  const { tone, name, word, sentence } = look
  return (
    <section className={styles['chosen']} data-look={tone} aria-label={name}>
      <strong>{name}</strong>
      <span className={styles['quiet']}>
        {[word, sentence, name === code ? '' : code].filter((part) => part !== '').join(' · ')}
      </span>
      {acts}
    </section>
  )
}

type SeenListProps = {
  title: string
  items: readonly { text: string; tone: Look['tone']; name: string; words: string }[]
  /** What a touch does with a line, where it does more than light it up. */
  act?: string
  onChoose: (text: string) => void
}

const shortList = 8

/** Lines that a touch lights up in the picture. */
export function SeenList({ title, items, act, onChoose }: SeenListProps) {
  const [most, setMost] = useState(shortList)
  if (items.length === 0) return null
  return (
    <section aria-label={title}>
      <Text fw={700} mb="xs">
        {title} ({items.length})
      </Text>
      <ul className={styles['list']}>
        {items.slice(0, most).map(({ text, tone, name, words }) => (
          <li key={text}>
            <UnstyledButton className={styles['item'] ?? ''} data-look={tone} onClick={() => onChoose(text)}>
              <span className={styles['name']}>{name}</span>
              <span className={styles['quiet']}>{act === undefined ? words : `${words} · ${act}`}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {items.length > most ? (
        <Button variant="subtle" fullWidth onClick={() => setMost(items.length)}>
          {counted(items.length - most, 'autre', 'autres')}
        </Button>
      ) : null}
    </section>
  )
}
