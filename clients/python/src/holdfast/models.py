"""What the server answers."""

from ._generated import models as _generated
from ._generated.models import *  # noqa: F403
from ._model import Answer, Model, Response

__all__ = ["Answer", "Model", "Response"]
__all__ += _generated.__all__
