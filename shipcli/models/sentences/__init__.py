"""What each field of the models means, in a sentence: for the served document and for help texts.

They stand in tables and not in the models, which every command imports and which need no prose to work.
"""

from shipcli.models.sentences.lookup import find_sentence, list_sentences

__all__ = ["find_sentence", "list_sentences"]
