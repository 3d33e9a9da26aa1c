/** Without capitals, accents or signs: « N° d’exemplaire » is « n d exemplaire ». */
export const comparableName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
