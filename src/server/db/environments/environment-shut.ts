/** What is read on the pages of one that is not served. */
export const shutBy = {
  trouble:
    'Cette bibliothèque ne s’ouvre pas pour l’instant. La personne qui s’occupe du serveur en trouve la cause dans son journal.',
  migration:
    'Mise à jour en cours\u202f: cette bibliothèque revient dans un instant. Ce qui est scanné attend sur l’appareil.',
  opening: 'Cette bibliothèque s’ouvre\u202f: réessayez dans un instant.',
  move: 'Cette bibliothèque a été déplacée, et son adresse ne mène pas encore au nouvel endroit. Ce qui est scanné attend sur l’appareil.',
  work: 'Cette bibliothèque est arrêtée un moment, le temps que sa base soit reprise ou déplacée. Ce qui est scanné attend sur l’appareil.',
}

/** An environment did not open; its cause is in the log, and the others go on. */
export class EnvironmentShutError extends Error {
  override readonly name = 'EnvironmentShutError'
  constructor(sentence: string = shutBy.trouble, options?: ErrorOptions) {
    super(sentence, options)
  }
}
