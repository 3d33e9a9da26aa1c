import { calibrationLine, labelsOnPage, type LabelSheet, placeOf } from '../../domain/label-sheets.ts'
import { finished, mm, openDocument } from '../pdf/open-document.ts'

type Calibration = { sheet: LabelSheet; offset: { x: number; y: number } }

/** Two lines whose distance from the paper's edges is measured, and where this printer's labels lie. */
export async function* drawCalibration({ sheet, offset }: Calibration): AsyncIterable<Uint8Array> {
  const size: [number, number] = [sheet.page.width * mm, sheet.page.height * mm]
  const document = await openDocument({ size, margin: 0, info: { Title: 'Feuille de réglage' } })
  document.addPage()
  const left = (calibrationLine + offset.x) * mm
  const top = (calibrationLine + offset.y) * mm
  const right = (sheet.page.width - 5) * mm
  const bottom = (sheet.page.height - 5) * mm
  for (let n = 0; n < labelsOnPage(sheet) && sheet.dpi === null; n += 1) {
    const { x, y } = placeOf(sheet, n)
    document.rect((x + offset.x) * mm, (y + offset.y) * mm, sheet.label.width * mm, sheet.label.height * mm)
  }
  document.lineWidth(0.25).dash(2, { space: 2 }).stroke('#888')
  document.undash().lineWidth(0.4)
  document.moveTo(left, 5 * mm).lineTo(left, bottom)
  document.moveTo(5 * mm, top).lineTo(right, top)
  document.stroke('#000')
  const isSmall = sheet.page.width < 100
  const sentences = isSmall
    ? [`Mesurez ces deux traits`, `depuis les bords\u202f: ${calibrationLine} mm attendus.`]
    : [
        'Feuille de réglage, à imprimer sans mise à l’échelle («\u00a0taille réelle\u00a0»)',
        `Mesurez, à la règle, du bord gauche de la feuille au trait vertical\u202f: ${calibrationLine} mm attendus.`,
        `Mesurez du bord haut de la feuille au trait horizontal\u202f: ${calibrationLine} mm attendus.`,
        'Écrivez ces deux mesures à l’imprimante, dans les réglages\u202f: ses étiquettes seront décalées d’autant.',
        'Imprimée de nouveau pour cette imprimante, la feuille doit montrer ses traits à leur place, et les pointillés sur les étiquettes.',
      ]
  const [textSize, line] = isSmall ? [6, 3] : [9, 5.5]
  document.font('plain').fontSize(textSize).fillColor('#000')
  for (const [at, sentence] of sentences.entries()) {
    document.text(sentence, left + 3 * mm, top + (3 + at * line) * mm, { lineBreak: false })
  }
  yield* finished(document)
}
