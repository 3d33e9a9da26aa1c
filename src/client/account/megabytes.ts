/** « moins de 0,1 Mo », « 2,4 Mo », « 18 Mo ». */
export const megabytes = (bytes: number): string => {
  const format = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: bytes < 10_000_000 ? 1 : 0 })
  return bytes > 0 && bytes < 100_000 ? 'moins de 0,1 Mo' : `${format.format(bytes / 1_000_000)} Mo`
}
