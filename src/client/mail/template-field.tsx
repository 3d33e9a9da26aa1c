import { ActionIcon, Button, Input, Menu } from '@mantine/core'
import { IconBold, IconItalic, IconList, IconPlus } from '@tabler/icons-react'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'

import type { MailSubject } from '../../domain/mail-occasions.ts'
import { mailVariables } from '../../domain/mail-variables.ts'
import { caretRest, chipOf, drawTemplate, isChip, readTemplate, restCarets } from './template-document.ts'
import styles from './mail.module.css'

type TemplateFieldProps = {
  label: string
  value: string
  onChange: (content: string) => void
  error?: string | undefined
  description?: string
  /** Null where a text has no variables, such as one that has its values already. */
  about: MailSubject | null
  /** One line of text, such as an object. */
  isLine?: boolean
  required?: boolean
}

/** A piece of a template as people write: plain typing, and variables as chips that are put in and taken out whole. */
export function TemplateField({
  label,
  value,
  onChange,
  error,
  description,
  about,
  isLine = false,
  required = false,
}: TemplateFieldProps) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  // What it says now; another value comes from outside, such as a draft that is given back.
  const said = useRef<string | null>(null)
  const caret = useRef<Range | null>(null)
  useEffect(() => {
    if (!field.current || said.current === value) return
    said.current = value
    drawTemplate(field.current, value, { about, isLine })
  }, [value, about, isLine])
  useEffect(() => {
    const follow = () => {
      const selection = getSelection()
      if (!selection || selection.rangeCount === 0) return
      const range = selection.getRangeAt(0)
      if (field.current?.contains(range.commonAncestorContainer)) caret.current = range.cloneRange()
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])

  const tell = () => {
    if (!field.current) return
    const content = readTemplate(field.current, { isLine })
    if (content === said.current) return
    said.current = content
    onChange(content)
  }
  const backToCaret = () => {
    const editor = field.current
    if (!editor) return
    editor.focus()
    const range = caret.current ?? atEndOf(editor)
    const selection = getSelection()
    selection?.removeAllRanges()
    selection?.addRange(editor.contains(range.commonAncestorContainer) ? range : atEndOf(editor))
  }
  const insert = (code: string, subject: MailSubject) => {
    const editor = field.current
    if (!editor) return
    backToCaret()
    const chip = chipOf(code, subject)
    // The browser's own command, so that it can be undone; where there is none, it is put in by hand.
    if (!command('insertHTML', `${caretRest}${chip.outerHTML}${caretRest}`)) insertAtCaret(chip)
    restCarets(editor)
    tell()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (isLine || event.ctrlKey || event.metaKey)) {
      if (isLine) event.preventDefault()
      return
    }
    if (event.key !== 'Backspace' && event.key !== 'Delete') return
    const chip = chipBeside(event.key === 'Backspace' ? 'before' : 'after')
    if (!chip) return
    event.preventDefault()
    const range = document.createRange()
    range.selectNode(chip)
    const selection = getSelection()
    selection?.removeAllRanges()
    selection?.addRange(range)
    if (!command('delete')) chip.remove()
    tell()
  }
  const paste = (text: string) => {
    const written = isLine ? text.replaceAll(/\s+/g, ' ') : text
    if (written === '') return
    if (!command('insertText', written)) insertAtCaret(document.createTextNode(written))
    tell()
  }
  const look = (name: string) => {
    backToCaret()
    command(name)
    tell()
  }
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      required={required}
      labelProps={{ id: `${id}-label`, onClick: () => field.current?.focus() }}
      labelElement="div"
      size="md"
      errorProps={{ id: `${id}-error` }}
    >
      <div className={styles['editor']} data-invalid={error !== undefined || undefined}>
        <div className={styles['tools']} role="group" aria-label={`Écrire\u202f: ${label}`}>
          {isLine ? null : (
            <>
              <Tool label="Gras" Icon={IconBold} onPress={() => look('bold')} />
              <Tool label="Italique" Icon={IconItalic} onPress={() => look('italic')} />
              <Tool label="Liste à puces" Icon={IconList} onPress={() => look('insertUnorderedList')} />
            </>
          )}
          {about === null ? null : (
            <Menu position="bottom-start" returnFocus={false}>
              <Menu.Target>
                <Button
                  variant="subtle"
                  size="compact-md"
                  mih="2.75rem"
                  leftSection={<IconPlus size="1em" aria-hidden />}
                  aria-label={`Insérer dans\u202f: ${label}`}
                >
                  Insérer
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {mailVariables[about].map(({ words, code }) => (
                  <Menu.Item key={code} mih="2.75rem" onClick={() => setTimeout(() => insert(code, about))}>
                    {words}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
        <div
          ref={field}
          className={styles['text']}
          data-line={isLine || undefined}
          contentEditable
          suppressContentEditableWarning
          role="textbox"
          tabIndex={0}
          aria-multiline={!isLine}
          aria-labelledby={`${id}-label`}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          aria-required={required || undefined}
          spellCheck
          onInput={tell}
          onBlur={tell}
          onKeyDown={press}
          onPaste={(event: ClipboardEvent) => {
            event.preventDefault()
            paste(event.clipboardData.getData('text/plain'))
          }}
          // What is dragged in would bring its own HTML.
          onDrop={(event: DragEvent) => {
            event.preventDefault()
            field.current?.focus()
            paste(event.dataTransfer.getData('text/plain'))
          }}
        />
      </div>
    </Input.Wrapper>
  )
}

type ToolProps = { label: string; Icon: typeof IconBold; onPress: () => void }

function Tool({ label, Icon, onPress }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      size="2.75rem"
      aria-label={label}
      title={label}
      // Pressed by a pointer, it leaves the focus where one writes.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon size="1.2em" aria-hidden />
    </ActionIcon>
  )
}

/** Old, and the only way that a browser can undo. */
function command(name: string, value?: string): boolean {
  return typeof document.execCommand === 'function' && document.execCommand(name, false, value)
}

function atEndOf(element: HTMLElement): Range {
  const range = document.createRange()
  range.selectNodeContents(element)
  range.collapse(false)
  return range
}

function insertAtCaret(node: Node): void {
  const range = getSelection()?.getRangeAt(0)
  if (!range) return
  range.deleteContents()
  range.insertNode(node)
  range.collapse(false)
}

/** The chip that the caret touches, past what only gives it a place. */
function chipBeside(side: 'before' | 'after'): HTMLElement | null {
  const selection = getSelection()
  if (!selection?.isCollapsed || !selection.anchorNode) return null
  const { anchorNode, anchorOffset } = selection
  const towards = side === 'before' ? 'previousSibling' : 'nextSibling'
  let node: Node | null
  if (anchorNode instanceof Text) {
    const { data } = anchorNode
    const between = side === 'before' ? data.slice(0, anchorOffset) : data.slice(anchorOffset)
    if (between.replaceAll(caretRest, '') !== '') return null
    node = anchorNode[towards]
  } else node = anchorNode.childNodes[side === 'before' ? anchorOffset - 1 : anchorOffset] ?? null
  while (node instanceof Text && node.data.replaceAll(caretRest, '') === '') node = node[towards]
  return node instanceof HTMLElement && isChip(node) ? node : null
}
