/** `label` is the menu's word. */
export const fileTypes = {
  xlsx: {
    label: 'Tableur (xlsx)',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  csv: { label: 'Texte (csv)', mime: 'text/csv; charset=utf-8' },
  pdf: { label: 'Document (pdf)', mime: 'application/pdf' },
} as const
export type FileType = keyof typeof fileTypes
