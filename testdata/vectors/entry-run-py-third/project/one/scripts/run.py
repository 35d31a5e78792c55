#!/bin/sh
echo run.py >> order
exit 2
