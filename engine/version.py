"""The version number, used by the build, the protocols and `chuhe --version`."""

VERSION = "0.1.0"
