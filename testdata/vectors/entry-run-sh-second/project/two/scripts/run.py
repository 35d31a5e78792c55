#!/bin/sh
echo run.py >> order
