import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconExternalLink, IconPrinter, IconRuler2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

import type { Download } from '../../contract/files.ts'
import {
  countLabels,
  labelsOfKind,
  markPrinted,
  mostEach,
  printCalibration,
  printLabels,
  wantLabels,
} from '../../contract/labels.ts'
import { labelsOnPage, pagesOfRun } from '../../domain/label-sheets.ts'
import { call } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { showAtOnce } from '../ui/in-sight.ts'
import { useListAddress } from '../ui/lists/use-list-address.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { saveFile } from '../ui/save-file.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { counted } from '../ui/words.ts'
import {
  LabelOptionFields,
  type LabelOptions,
  type OptionsHook,
  useLabelOptions,
  wholeWithin,
} from './label-options.tsx'
import styles from './labels.module.css'
import { addressOfRanges, labelShape, RangePanel, type WhichLabels, whichLabels } from './range-panel.tsx'

/** Asked once labels that were awaited went to the printer: only a person knows whether they are stuck. */
function PrintedQuestion({ wanted }: { wanted: readonly number[] }) {
  const printed = useChange(markPrinted)
  const want = useChange(wantLabels)
  const [cleared, setCleared] = useState<readonly number[]>([])
  if (cleared.length > 0) {
    return (
      <Alert color="lamp" role="status" className={styles['asked'] ?? ''}>
        <Group justify="space-between">
          <Text>
            {counted(cleared.length, 'exemplaire n’attend plus', 'exemplaires n’attendent plus')} d’étiquette.
          </Text>
          <Button
            variant="default"
            loading={want.isPending}
            onClick={() =>
              want.mutate(
                { body: { copies: [...cleared] } },
                {
                  onSuccess: () => {
                    setCleared([])
                    say('Les étiquettes sont de nouveau attendues.')
                  },
                  onError: (error) => sayError(error),
                },
              )
            }
          >
            Annuler
          </Button>
        </Group>
      </Alert>
    )
  }
  if (wanted.length === 0) return null
  return (
    <Alert ref={showAtOnce} color="yellow" role="status" className={styles['asked'] ?? ''}>
      <Group justify="space-between">
        <Text>Les étiquettes sont-elles bien imprimées&#8239;?</Text>
        <Button
          loading={printed.isPending}
          onClick={() =>
            printed.mutate(
              { body: { copies: [...wanted] } },
              { onSuccess: ({ copies }) => setCleared(copies), onError: (error) => sayError(error) },
            )
          }
        >
          Oui, ne plus les attendre
        </Button>
      </Group>
    </Alert>
  )
}

/** Whether this browser shows a PDF within a page; most on phones do not. */
const showsPdf = (): boolean => navigator.pdfViewerEnabled

/** Small pictures of its pages would take half of the room for the labels. */
const withoutThumbnails = '#navpanes=0'

/** The address of a file that the page holds, as long as it is shown. */
function useAddressOf(file: Download | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setAddress(null)
    const made = URL.createObjectURL(file.content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

type LabelPreviewProps = { address: string; frame: RefObject<HTMLIFrameElement | null> }

/** The very file that is printed, in the page, or behind a button where browsers do not show it there. */
function LabelPreview({ address, frame }: LabelPreviewProps) {
  return (
    <div className={styles['preview']}>
      {showsPdf() ? (
        // Browsers show no PDF in a sandbox; what is shown was made by our own server.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe ref={frame} src={address + withoutThumbnails} title="Aperçu des étiquettes" />
      ) : (
        <Text c="dimmed">
          Cet appareil ne montre pas les PDF dans une page&#8239;: l’aperçu s’ouvre à part.
        </Text>
      )}
      <div>
        <Button
          component="a"
          href={address}
          target="_blank"
          rel="noreferrer"
          variant={showsPdf() ? 'subtle' : 'default'}
          leftSection={<IconExternalLink size="1.2em" aria-hidden />}
        >
          Ouvrir l’aperçu dans un onglet
        </Button>
      </div>
    </div>
  )
}

/** Labels of what the address names, on what is chosen, as the file that is printed. */
export default function PrintLabelsScreen() {
  const [search] = useSearchParams()
  const { list } = useListAddress(labelShape, { cycle: 'desc-first' })
  const which = whichLabels(search, list)
  const hook = useLabelOptions()
  const { options, error, retry } = hook
  return (
    <Page
      title={which?.kind === 'range' || !which ? 'Imprimer une plage de codes' : 'Imprimer des étiquettes'}
    >
      {which === null ? (
        <RangePanel />
      ) : error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : options ? (
        <Printing key={JSON.stringify(which.query)} which={which} options={options} hook={hook} />
      ) : (
        <LoadingBlock height="20rem" radius="lg" />
      )}
    </Page>
  )
}

type PrintingProps = { which: WhichLabels; options: LabelOptions; hook: OptionsHook }

function Printing({ which, options, hook }: PrintingProps) {
  const { on, sheet, printer, kind, show, code, side } = options
  const printed = labelsOfKind[kind]
  const first = wholeWithin(options.first, labelsOnPage(on))
  const each = wholeWithin(options.each, mostEach)
  const place = { sheet, ...(printer === '' ? {} : { printer }) }
  const asked = useDebounced(
    JSON.stringify({
      list: which.list,
      query: {
        ...which.query,
        ...place,
        first: String(first),
        each: String(each),
        kind,
        ...(printed.includes('bar_code') ? { show: show.join(',') } : {}),
        ...(printed.includes('spine') ? { code } : {}),
        ...(printed.includes('spine') && code === 'data_matrix' ? { side: String(side) } : {}),
      },
    }),
    300,
  )
  const { ids, type, site } = which.query
  const counting = { ...(ids ? { ids } : {}), ...(type ? { type } : {}), ...(site ? { site } : {}) }
  const count = useQuery({
    queryKey: ['bar_codes', countLabels.name, which.list, counting, each, kind],
    queryFn: ({ signal }) =>
      call(countLabels, { list: which.list, query: { ...counting, each: String(each), kind }, signal }),
    retry: false,
  })
  const file = useQuery({
    // No change of a copy makes anew what is being printed.
    queryKey: ['labels file', asked],
    queryFn: ({ signal }) =>
      call(printLabels, { ...(JSON.parse(asked) as { list: object; query: object }), signal }),
    enabled: (count.data?.labels ?? 0) > 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const address = useAddressOf(file.data)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isSent, setSent] = useState(false)
  const [wanted, setWanted] = useState<readonly number[]>([])
  const sent = () => {
    setSent(true)
    setWanted(count.data?.wanted ?? [])
  }
  const print = () => {
    if (!address) return
    const within = showsPdf() ? frame.current?.contentWindow : null
    if (within) {
      within.focus()
      within.print()
    } else window.open(address, '_blank', 'noreferrer')
    sent()
  }
  const calibrate = () =>
    void call(printCalibration, { query: place }).then(saveFile, (error: unknown) =>
      sayError(error, 'La feuille de réglage n’a pas pu être faite.'),
    )
  const { search } = useLocation()
  const labels = count.data?.labels ?? 0
  const pages = pagesOfRun(on, labels, { first, inPairs: kind === 'both' })
  const error = count.error ?? file.error
  return (
    <div className={styles['sides']}>
      {isSent && printed.includes('bar_code') ? <PrintedQuestion wanted={wanted} /> : null}
      <div className="panel">
        <Stack>
          <LabelOptionFields options={options} hook={hook} />
          <Text role="status" fw={600} mih="1.5em">
            {labels === 0
              ? ''
              : `${counted(labels, 'étiquette', 'étiquettes')}, ${
                  on.dpi === null ? counted(pages, 'feuille', 'feuilles') : 'une par page'
                }`}
          </Text>
          <Group>
            <Button
              disabled={labels === 0 || !address || file.isFetching}
              leftSection={<IconPrinter size="1.2em" aria-hidden />}
              onClick={print}
            >
              Imprimer
            </Button>
            <Button
              variant="default"
              disabled={labels === 0 || !address || file.isFetching}
              leftSection={<IconDownload size="1.2em" aria-hidden />}
              onClick={() => {
                if (file.data) saveFile(file.data)
                sent()
              }}
            >
              Télécharger
            </Button>
            <Button
              variant="subtle"
              leftSection={<IconRuler2 size="1.2em" aria-hidden />}
              onClick={calibrate}
            >
              Feuille de réglage
            </Button>
          </Group>
        </Stack>
      </div>
      {error ? (
        <div className={styles['refused']}>
          <ErrorState
            error={error}
            onRetry={() => void (count.error ? count.refetch() : file.refetch())}
            lead={wayBack(which.kind, search)}
          />
        </div>
      ) : count.data && labels === 0 ? (
        <EmptyState message="Aucun exemplaire n’est à étiqueter ici." />
      ) : address ? (
        <LabelPreview address={address} frame={frame} />
      ) : (
        <LoadingBlock height="30rem" radius="lg" />
      )}
    </div>
  )
}

/** Where something else is chosen. */
const wayBack = (kind: WhichLabels['kind'], search: string): { to: string; label: string } =>
  kind === 'range'
    ? { to: addressOfRanges, label: 'Choisir une autre plage' }
    : kind === 'ticked'
      ? { to: '/bar_codes', label: 'Revenir à la liste' }
      : { to: `/bar_codes${search}`, label: 'Filtrer ou cocher dans la liste' }
